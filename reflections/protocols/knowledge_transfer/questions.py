"""Questions with their answers and facts, open points and documents of a handover."""

import hashlib
import json
from collections.abc import Iterable

from interviews.protocols.knowledge_transfer.state import BacklogItem
from plans.protocols.knowledge_transfer.content import QuestionMaterial
from reflections.protocols.knowledge_transfer.types import (
    Handover,
    OpenPoint,
    PackageAnswer,
    PackageDocument,
    PackageFact,
    Person,
    Place,
    QuestionAnswers,
    SummarySection,
    WhyOpen,
)

ANSWERED, SKIPPED = "ANSWERED_BY_INTERVIEW", "SKIPPED"
NOT_KNOWN = "NOT_KNOWN"
VAGUE = 0.3  # an answer that sure leaves its question open
MAX_DEPTH = 20


def questions_of(handover: Handover) -> list[QuestionAnswers]:
    items = {item.id: item for item in handover.backlog}
    answered = [said.question for said in handover.said if said.answers]
    named = [*answered, *(fact.question for fact in handover.facts)]
    return [_question_answers(handover, items, key) for key in dict.fromkeys(named)]


def _question_answers(
    handover: Handover, items: dict[str, BacklogItem], key: str
) -> QuestionAnswers:
    item = items.get(key) or BacklogItem(key, key, "P1", "ADMIN", status=ANSWERED)
    entry = next((one for one in handover.said if one.question == key), None)
    return QuestionAnswers(
        id=key,
        question=item.text,
        asked=entry.asked if entry else item.asked,
        status=item.status,
        origin=item.origin,
        parent=_parent(items, item),
        priority=item.priority,
        confidence=item.confidence,
        documents=_sources(handover, items, item),
        facts=[
            PackageFact.model_validate(fact, from_attributes=True)
            for fact in handover.facts
            if fact.question == key
        ],
        answers=[
            PackageAnswer(position=p, text=text) for p, text in (entry.answers if entry else ())
        ],
    )


def open_points_of(handover: Handover) -> list[OpenPoint]:
    items = {item.id: item for item in handover.backlog}
    found = [
        OpenPoint(
            id=item.id,
            question=item.text,
            origin=item.origin,
            parent=_parent(items, item),
            priority=item.priority,
            open_because=because,
            why=root.why if (root := _planned_question(handover, items, item)) else "",
            documents=_sources(handover, items, item),
        )
        for item in handover.backlog
        if (because := _open_because(item))
    ]
    return sorted(found, key=lambda point: point.priority)


def _open_because(item: BacklogItem) -> WhyOpen | None:
    if item.status in (SKIPPED, NOT_KNOWN):
        return "skipped" if item.status == SKIPPED else "not_known"
    if item.status == ANSWERED:
        return "vague" if item.confidence is not None and item.confidence <= VAGUE else None
    return "not_asked" if item.priority == "P2" else "not_reached"


def _planned_question(
    handover: Handover, items: dict[str, BacklogItem], item: BacklogItem | None
) -> QuestionMaterial | None:
    planned = {question.key: question for question in handover.material.questions}
    for _ in range(MAX_DEPTH):
        if item is None or item.id in planned:
            return planned[item.id] if item else None
        item = items.get(item.parent)
    return None


def _parent(items: dict[str, BacklogItem], item: BacklogItem) -> str:
    parent = items.get(item.parent)
    return parent.text if parent else ""


def _sources(handover: Handover, items: dict[str, BacklogItem], item: BacklogItem) -> list[Place]:
    root = _planned_question(handover, items, item)
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
    return [
        Person(text=text, document=one.name)
        for one in handover.material.documents
        for text in one.dive.people
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
