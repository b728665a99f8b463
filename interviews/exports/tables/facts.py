"""One row a fact: what an answer brought to light, and what people made of it."""

from collections.abc import Callable, Iterator
from datetime import datetime
from operator import attrgetter
from typing import Any, NamedTuple
from uuid import UUID

from interviews.backlog import backlog_of, documents_behind
from interviews.exports.columns import Column, Table, Type
from interviews.exports.selection import Selection
from interviews.exports.sessions import SHARED, Facts, batches, by_session, keys, session_columns
from interviews.exports.utterances import CHUNK, IN_ORDER
from interviews.models import Fact, Session

SOURCES = {
    "model": "the model that was meant to",
    "fallback_model": "the model that stands in for it",
    "fallback": "made without a model, since none gave anything usable",
    "rules": "made without a model",
}
CONFIDENCES = {"0.3": "low", "0.6": "medium", "0.9": "high"}


class Kept(NamedTuple):
    """One fact as stored."""

    session_id: UUID
    number: int
    text: str
    original: str
    question: str
    confidence: float
    source: str
    position: int
    at: datetime
    edited_at: datetime | None
    merged_number: int | None
    merged_session: UUID | None


class Found(NamedTuple):
    """One fact with its session and its question."""

    session: Facts
    fact: Kept
    question_text: str
    documents: str


COLUMNS = (
    *("session_id", "number", "text", "original", "question", "confidence", "source"),
    *("entry__position", "entry__at", "edited_at"),
    *("merged_into__number", "merged_into__session_id"),
)


def rows(chosen: Selection) -> Iterator[Found]:
    """Every fact, merged ones too, in the order in which they were found."""
    for batch in batches(chosen.with_content()):
        facts = Fact.objects.filter(session__in=keys(batch)).order_by(*IN_ORDER, "number")
        kept = map(Kept._make, facts.values_list(*COLUMNS).iterator(chunk_size=CHUNK))
        states = dict(Session.objects.filter(pk__in=keys(batch)).values_list("pk", "state"))
        for session, of_session in by_session(batch, kept):
            if of_session:
                yield from _found(session, of_session, states[session.session.pk])


def _found(session: Facts, kept: list[Kept], state: dict[str, Any]) -> Iterator[Found]:
    items = backlog_of(session.session.plan_id, state)
    texts = {item.id: item.text for item in items}
    documents = documents_behind(session.session.plan_id, items)
    for fact in kept:
        named = "\n".join(documents.get(fact.question, ()))
        yield Found(session, fact, texts.get(fact.question, ""), named)


def _of(name: str) -> Callable[[Found], Any]:
    return attrgetter(f"fact.{name}")


def _merged_into(row: Found) -> str | None:
    return str(row.fact.merged_session) if row.fact.merged_session else None


FACTS: Table[Found] = Table(
    "facts",
    "One row a fact that an answer brought to light, with the answer's place. Merged facts are "
    "among them and say where they went.",
    (
        *session_columns(),
        Column(
            "number", Type.INTEGER, "Number of the fact in its interview, from 1.", _of("number")
        ),
        Column("fact", Type.STRING, "The fact, as it stands now.", _of("text")),
        Column("original", Type.STRING, "The fact as it was extracted.", _of("original")),
        Column(
            "edited",
            Type.BOOLEAN,
            "Whether a person has put it in other words.",
            lambda row: row.fact.edited_at is not None,
        ),
        Column("edited_at", Type.DATETIME, "When that was.", _of("edited_at")),
        Column("question", Type.STRING, "Id of the question that it answers.", _of("question")),
        Column(
            "question_text",
            Type.STRING,
            "That question, as the backlog has it.",
            attrgetter("question_text"),
        ),
        Column(
            "documents",
            Type.STRING,
            "Documents that the question comes from, a line each; for follow-ups and discoveries "
            "those of the question that they go back to.",
            attrgetter("documents"),
        ),
        Column(
            "confidence",
            Type.NUMBER,
            "How sure and complete the answer was.",
            _of("confidence"),
            CONFIDENCES,
        ),
        Column("source", Type.STRING, "What found it.", _of("source"), SOURCES),
        Column(
            "position",
            Type.INTEGER,
            "Place in the transcript of the answer that it comes from.",
            _of("position"),
        ),
        Column("at", Type.DATETIME, "When that was said.", _of("at")),
        Column(
            "merged_into",
            Type.INTEGER,
            "Number of the fact that it was merged into, which stands for it; empty where it "
            "stands by itself.",
            _of("merged_number"),
        ),
        Column(
            "merged_into_session",
            Type.STRING,
            "The interview (UUID) of that fact.",
            _merged_into,
        ),
    ),
    rows,
    shared=SHARED,
)
