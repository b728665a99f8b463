"""Questions with what came of them, open points and documents, as they stand in a handover."""

import hashlib
import json
from collections.abc import Iterable, Iterator

from interviews.protocols.knowledge_transfer.state import BacklogItem
from plans.protocols.knowledge_transfer.content import DocumentMaterial, QuestionMaterial
from reflections.protocols.knowledge_transfer.types import (
    AnswerTold,
    DocumentTold,
    FactTold,
    Handover,
    KnownFact,
    OpenPoint,
    Person,
    Place,
    QuestionAnswers,
    SummarySection,
    WhyOpen,
)

ANSWERED, SKIPPED = "ANSWERED_BY_INTERVIEW", "SKIPPED"
VAGUE = 0.3  # an answer that sure leaves its question open
LONGEST_PARENTAGE = 20


def questions_of(held: Handover) -> list[QuestionAnswers]:
    """Those to which something was said, in the order of the interview, with their facts."""
    items = {item.id: item for item in held.backlog}
    answered = [said.question for said in held.said if said.answers]
    named = [*answered, *(fact.question for fact in held.facts)]
    return [_answered(held, items, key) for key in dict.fromkeys(named)]


def _answered(held: Handover, items: dict[str, BacklogItem], key: str) -> QuestionAnswers:
    item = items.get(key) or BacklogItem(key, key, "P1", "ADMIN", status=ANSWERED)
    said = next((one for one in held.said if one.question == key), None)
    return QuestionAnswers(
        id=key,
        question=item.text,
        asked=said.asked if said else item.asked,
        status=item.status,
        origin=item.origin,
        parent=_parent(items, item),
        priority=item.priority,
        confidence=item.confidence,
        documents=_places(held, items, item),
        facts=[_told(fact) for fact in held.facts if fact.question == key],
        answers=[AnswerTold(position=p, text=text) for p, text in (said.answers if said else ())],
    )


def _told(fact: KnownFact) -> FactTold:
    return FactTold(
        number=fact.number,
        text=fact.text,
        position=fact.position,
        confidence=fact.confidence,
        edited=fact.edited,
        merged=list(fact.merged),
    )


def open_points_of(held: Handover) -> list[OpenPoint]:
    """What still has no good answer, the most pressing first."""
    items = {item.id: item for item in held.backlog}
    found = [
        OpenPoint(
            id=item.id,
            question=item.text,
            origin=item.origin,
            parent=_parent(items, item),
            priority=item.priority,
            open_because=because,
            why=root.why if (root := _root(held, items, item)) else "",
            documents=_places(held, items, item),
        )
        for item in held.backlog
        if (because := _open_because(item))
    ]
    return sorted(found, key=lambda point: point.priority)


def _open_because(item: BacklogItem) -> WhyOpen | None:
    if item.status == SKIPPED:
        return "skipped"
    if item.status == ANSWERED:
        return "vague" if item.confidence is not None and item.confidence <= VAGUE else None
    return "not_asked" if item.priority == "P2" else "not_reached"


def _root(
    held: Handover, items: dict[str, BacklogItem], item: BacklogItem | None
) -> QuestionMaterial | None:
    """The question of the plan that this one comes from."""
    planned = {question.key: question for question in held.material.questions}
    for _ in range(LONGEST_PARENTAGE):
        if item is None or item.id in planned:
            return planned[item.id] if item else None
        item = items.get(item.parent)
    return None


def _parent(items: dict[str, BacklogItem], item: BacklogItem) -> str:
    parent = items.get(item.parent)
    return parent.text if parent else ""


def _places(held: Handover, items: dict[str, BacklogItem], item: BacklogItem) -> list[Place]:
    root = _root(held, items, item)
    return [Place(name=one.document, place=one.place) for one in root.sources] if root else []


def documents_of(held: Handover) -> list[DocumentTold]:
    """The documents, each with what it is for."""
    return [
        DocumentTold(name=one.name, kind=one.kind, purpose=_purpose(one))
        for one in held.material.documents
    ]


def _purpose(document: DocumentMaterial) -> str:
    return document.dive.purpose or next(iter(document.dive.points), "")


def people_of(held: Handover) -> list[Person]:
    return [
        Person(text=text, document=one.name)
        for one in held.material.documents
        for text in one.dive.people
    ]


def plain_items(held: Handover) -> list[dict[str, object]]:
    """The plain questions and answers, in the shape of every plain summary."""
    return [
        {
            "question": said.question,
            "asked": said.asked,
            "answers": [{"text": text, "position": position} for position, text in said.answers],
        }
        for said in held.said
        if said.answers
    ]


def facts_digest(held: Handover) -> str:
    """A digest of the facts as they stand."""
    return _digest([fact.number, fact.text, *fact.merged] for fact in held.facts)


def summary_digest(sections: Iterable[SummarySection]) -> str:
    """A digest of what a summary says."""
    return _digest(section.model_dump(mode="json") for section in sections)


def _digest(rows: Iterable[object] | Iterator[object]) -> str:
    return hashlib.sha256(json.dumps(list(rows), ensure_ascii=False).encode()).hexdigest()
