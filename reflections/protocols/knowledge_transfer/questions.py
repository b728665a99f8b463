"""Questions with their answers and facts, open points and documents of a handover."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any

from interviews.protocols.knowledge_transfer.context import (
    ANSWERED,
    CLOSING,
    FOLLOW_UP,
    NOT_KNOWN,
    SKIPPED,
)
from interviews.protocols.knowledge_transfer.state import BacklogItem
from plans.protocols.knowledge_transfer.content import QuestionMaterial
from reflections.evidence.types import Quote
from reflections.protocols.knowledge_transfer.types import (
    Handover,
    OpenPoint,
    PackageDocument,
    PackageFact,
    Person,
    Place,
    QuestionAnswers,
    SummarySection,
    WhyOpen,
)

VAGUE = 0.3  # an answer that sure leaves its question open
MAX_DEPTH = 20


def questions_of(handover: Handover) -> list[QuestionAnswers]:
    answered = [said.question for said in handover.said if said.answers]
    named = [*answered, *(fact.question for fact in handover.facts)]
    return [_question_answers(handover, key) for key in dict.fromkeys(named)]


def _question_answers(handover: Handover, key: str) -> QuestionAnswers:
    item = handover.items.get(key) or BacklogItem(key, key, "P1", "ADMIN", status=ANSWERED)
    entry = next((one for one in handover.said if one.question == key), None)
    said = entry.answers if entry else ((item.position, handover.words.get(item.position, "")),)
    return QuestionAnswers(
        id=key,
        question=item.text,
        asked=entry.asked if entry else item.asked,
        status=item.status,
        origin=item.origin,
        parent=_parent(handover, item),
        priority=item.priority,
        confidence=item.confidence,
        documents=_sources(handover, item),
        facts=[
            PackageFact.model_validate(fact, from_attributes=True)
            for fact in handover.facts
            if fact.question == key
        ],
        answers=[Quote(position=p, text=text) for p, text in said],
    )


def open_points_of(handover: Handover) -> list[OpenPoint]:
    found = [
        OpenPoint(
            id=item.id,
            question=item.text,
            origin=item.origin,
            parent=_parent(handover, item),
            priority=item.priority,
            open_because=because,
            why=root.why if (root := _planned_question(handover, item)) else "",
            documents=_sources(handover, item),
        )
        for item in handover.backlog
        if (because := _open_because(handover.items, item))
    ]
    return sorted(found, key=lambda point: point.priority)


def _open_because(items: Mapping[str, BacklogItem], item: BacklogItem) -> WhyOpen | None:
    """Return why it is open, or None.

    The closing question never is; a follow-up is not, if its question is or asks the same.
    """
    if item.origin == CLOSING:
        return None
    parent = items.get(item.parent) if item.origin == FOLLOW_UP else None
    if parent and (parent.text == item.text or _open_because(items, parent)):
        return None
    if item.status in (SKIPPED, NOT_KNOWN):
        return "skipped" if item.status == SKIPPED else "not_known"
    if item.status == ANSWERED:
        asked_on = (o for o in items.values() if o.origin == FOLLOW_UP and o.parent == item.id)
        return None if _is_clear(item) or any(map(_is_clear, asked_on)) else "vague"
    return "not_asked" if item.priority == "P2" else "not_reached"


def _is_clear(item: BacklogItem) -> bool:
    return item.status == ANSWERED and (item.confidence is None or item.confidence > VAGUE)


def _planned_question(handover: Handover, item: BacklogItem | None) -> QuestionMaterial | None:
    planned = {question.key: question for question in handover.material.questions}
    for _ in range(MAX_DEPTH):
        if item is None or item.id in planned:
            return planned[item.id] if item else None
        item = handover.items.get(item.parent)
    return None


def _parent(handover: Handover, item: BacklogItem) -> str:
    parent = handover.items.get(item.parent)
    return parent.text if parent else ""


def _sources(handover: Handover, item: BacklogItem) -> list[Place]:
    root = _planned_question(handover, item)
    return [Place(name=one.document, place=one.place) for one in root.sources] if root else []


def documents_of(handover: Handover) -> list[PackageDocument]:
    return [
        PackageDocument(
            name=one.name,
            kind=one.kind,
            purpose=one.dive.purpose or next(iter(one.dive.points), ""),
        )
        for one in handover.material.documents
    ]


def people_of(handover: Handover) -> list[Person]:
    named = (
        Person(text=": ".join(filter(None, (one.name, one.about))), position=one.position)
        for one in handover.people
    )
    documents = handover.material.documents
    return [
        *(Person(text=t, document=one.name) for one in documents for t in one.dive.people),
        *named,
    ]


def plain_items(handover: Handover) -> list[dict[str, object]]:
    return [
        {
            "question": said.question,
            "asked": said.asked,
            "answers": [{"text": text, "position": position} for position, text in said.answers],
        }
        for said in handover.said
        if said.answers
    ]


def facts_digest(handover: Handover) -> str:
    return _digest([fact.number, fact.text, *fact.merged] for fact in handover.facts)


def summary_digest(sections: Iterable[SummarySection]) -> str:
    return _digest(section.model_dump(mode="json") for section in sections)


def _digest(rows: Iterable[object]) -> str:
    return hashlib.sha256(json.dumps(list(rows), ensure_ascii=False).encode()).hexdigest()


# -- the Q&A context


def context_rows(
    session: str, questions: Iterable[QuestionAnswers], points: Iterable[OpenPoint]
) -> list[dict[str, Any]]:
    facts = sorted(
        (_fact_row(session, one, fact) for one in questions for fact in one.facts),
        key=lambda row: row["number"],
    )
    answers = (
        {"type": "answer", **_said(session, one, answer.text, answer.position, one.confidence)}
        for one in questions
        for answer in one.answers
        if answer.text and not one.facts
    )
    return [*facts, *answers, *(_open_point_row(session, point) for point in points)]


def json_lines(rows: Iterable[dict[str, Any]]) -> bytes:
    lines = "".join(json.dumps(row, ensure_ascii=False, sort_keys=True) + "\n" for row in rows)
    return lines.encode("utf-8", "backslashreplace")


def _fact_row(session: str, one: QuestionAnswers, fact: PackageFact) -> dict[str, Any]:
    quote = next((a.text for a in one.answers if a.position == fact.position), "")
    return {
        "type": "fact",
        "id": f"{session}-fact-{fact.number}",
        "number": fact.number,
        "fact": fact.text,
        **_said(session, one, quote, fact.position, fact.confidence),
        "edited": fact.edited,
        "merged": fact.merged,
        "contradicts": fact.contradicts,
    }


def _said(
    session: str, one: QuestionAnswers, words: str, position: int, confidence: float | None
) -> dict[str, Any]:
    return {
        "question_id": one.id,
        "question": one.question,
        "asked": one.asked,
        "came_up_with": one.parent,
        "answer": words,
        "confidence": confidence,
        "status": one.status,
        "session": session,
        "position": position,
        "documents": [place.model_dump() for place in one.documents],
    }


def _open_point_row(session: str, point: OpenPoint) -> dict[str, Any]:
    return {
        "type": "open_question",
        "id": f"{session}-question-{point.id}",
        "question_id": point.id,
        "question": point.question,
        "came_up_with": point.parent,
        "priority": point.priority,
        "open_because": point.open_because,
        "why": point.why,
        "session": session,
        "documents": [place.model_dump() for place in point.documents],
    }
