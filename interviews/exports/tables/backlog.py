"""One row a question of an interview's backlog, with what became of it."""

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from operator import attrgetter
from typing import Any, NamedTuple
from uuid import UUID

from interviews.backlog import backlog_of, documents_behind
from interviews.engine.types import BacklogItem
from interviews.exports.columns import Column, Table, Type
from interviews.exports.reading import rows_of
from interviews.exports.selection import Selection
from interviews.exports.sessions import SHARED, Facts, batches, by_session, keys, session_columns
from interviews.exports.tables.facts import CONFIDENCES
from interviews.exports.utterances import CHUNK, IN_ORDER
from interviews.models import Session, TranscriptEntry
from interviews.words import Role

PRIORITIES = {
    "P0": "asked first",
    "P1": "asked after that",
    "P2": "not asked: an open point",
}
ORIGINS = {
    "ANALYSIS": "drafted from the documents",
    "ADMIN": "written by the people of the study",
    "FOLLOW_UP": "asked since an answer stayed vague",
    "DISCOVERED": "came up in an answer",
}
STATES = {
    "OPEN": "not answered",
    "ANSWERED_BY_INTERVIEW": "answered in the interview",
    "SKIPPED": "passed over by the participant",
}


class Said(NamedTuple):
    """When the participant said something."""

    session_id: UUID
    position: int
    at: datetime


class Asked(NamedTuple):
    """One question with its session."""

    session: Facts
    item: BacklogItem
    documents: str
    at: datetime | None


def rows(chosen: Selection) -> Iterator[Asked]:
    """Every question of every chosen interview that has a backlog, in its order."""
    for batch in batches(chosen.with_content()):
        states = dict(Session.objects.filter(pk__in=keys(batch)).values_list("pk", "state"))
        for session, said in by_session(batch, _said(batch)):
            yield from _asked(session, states[session.session.pk], said)


def _said(batch: Sequence[Facts]) -> Iterator[Said]:
    answers = TranscriptEntry.objects.filter(session__in=keys(batch), role=Role.PARTICIPANT)
    ordered = answers.order_by(*IN_ORDER, "position").values_list(*Said._fields)
    return map(Said._make, rows_of(ordered, CHUNK))


def _asked(session: Facts, state: dict[str, Any], said: list[Said]) -> Iterator[Asked]:
    items = backlog_of(session.session.plan_id, state)
    documents = documents_behind(session.session.plan_id, items)
    at = {one.position: one.at for one in said}
    for item in items:
        named = "\n".join(documents.get(item.id, ()))
        yield Asked(session, item, named, at.get(item.position))


def _of(name: str) -> Callable[[Asked], Any]:
    return attrgetter(f"item.{name}")


def _if_any(name: str) -> Callable[[Asked], Any]:
    return lambda row: getattr(row.item, name) or None


BACKLOG: Table[Asked] = Table(
    "backlog",
    "One row a question of the backlog of each interview that has one, with what became of it.",
    (
        *session_columns(),
        Column(
            "question",
            Type.STRING,
            "The question's id; those of follow-ups begin with followup-, those of questions that "
            "came up in the interview with discovered-.",
            _of("id"),
        ),
        Column("text", Type.STRING, "The question, as the backlog has it.", _of("text")),
        Column("priority", Type.STRING, "When it is asked.", _of("priority"), PRIORITIES),
        Column("origin", Type.STRING, "Where it comes from.", _of("origin"), ORIGINS),
        Column(
            "parent",
            Type.STRING,
            "Id of the question whose answer it came from; empty for those of the plan.",
            _of("parent"),
        ),
        Column(
            "documents",
            Type.STRING,
            "Documents that it comes from, a line each; for follow-ups and discoveries those of "
            "the question that they go back to.",
            attrgetter("documents"),
        ),
        Column("question_status", Type.STRING, "What became of it.", _of("status"), STATES),
        Column(
            "round",
            Type.INTEGER,
            "Round in which it was asked, from 1; empty where it wasn't.",
            _if_any("round"),
        ),
        Column("asked", Type.STRING, "How it was put in the conversation.", _of("asked")),
        Column("answer", Type.STRING, "The participant's words.", _of("answer")),
        Column(
            "position",
            Type.INTEGER,
            "Place of the answer in the transcript.",
            _if_any("position"),
        ),
        Column("at", Type.DATETIME, "When the answer was given.", attrgetter("at")),
        Column(
            "confidence",
            Type.NUMBER,
            "How sure and complete the answer was.",
            _of("confidence"),
            CONFIDENCES,
        ),
    ),
    rows,
    shared=SHARED,
)
