from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Annotated, Any, NamedTuple

from interviews.choices import SpeakerRole
from interviews.exports.columns import Table, columns_of
from interviews.exports.database_cursor import iterate_rows
from interviews.exports.selection import Selection
from interviews.exports.sessions import ExportedSession, batches, by_session, keys
from interviews.exports.utterances import CHUNK, IN_ORDER
from interviews.models import Session, TranscriptEntry
from interviews.protocols.knowledge_transfer.backlog import backlog_of, documents_behind
from interviews.protocols.knowledge_transfer.exports.facts import CONFIDENCES

PRIORITIES = {"P0": "asked first", "P1": "asked after that", "P2": "not asked: an open point"}
ORIGINS = {
    "ANALYSIS": "drafted from the documents",
    "ADMIN": "written by the people of the study",
    "FOLLOW_UP": "asked since an answer stayed vague",
    "DISCOVERED": "came up in an answer",
}
STATES = {
    "OPEN": "not answered",
    "ANSWERED_BY_INTERVIEW": "answered in the interview",
    "NOT_KNOWN": "asked, but the participant doesn't know",
    "SKIPPED": "passed over by the participant",
}


class BacklogRow(NamedTuple):
    session: ExportedSession
    question: Annotated[
        str,
        "The question's id; those of follow-ups begin with followup-, those of questions that "
        "came up in the interview with discovered-.",
    ]
    text: Annotated[str, "The question, as the backlog has it."]
    priority: Annotated[str, "When it is asked.", PRIORITIES]
    origin: Annotated[str, "Where it comes from.", ORIGINS]
    parent: Annotated[
        str, "Id of the question whose answer it came from; empty for those of the plan."
    ]
    documents: Annotated[
        str,
        "Documents that it comes from, a line each; for follow-ups and discoveries those of the "
        "question that they go back to.",
    ]
    question_status: Annotated[str, "What became of it.", STATES]
    round: Annotated[int | None, "Round in which it was asked, from 1; empty where it wasn't."]
    asked: Annotated[str, "How it was put in the conversation."]
    answer: Annotated[str, "The participant's words."]
    position: Annotated[int | None, "Place of the answer in the transcript."]
    at: Annotated[datetime | None, "When the answer was given."]
    confidence: Annotated[float | None, "How sure and complete the answer was.", CONFIDENCES]


def rows(chosen: Selection) -> Iterator[BacklogRow]:
    for batch in batches(chosen.with_content()):
        states = dict(Session.objects.filter(pk__in=keys(batch)).values_list("pk", "state"))
        for session, answers in by_session(batch, _answer_times(batch)):
            times = {position: time for _, position, time in answers}
            yield from _backlog_rows(session, states[session.session.pk], times)


def _answer_times(batch: Sequence[ExportedSession]) -> Iterator[Any]:
    answers = TranscriptEntry.objects.filter(session__in=keys(batch), role=SpeakerRole.PARTICIPANT)
    ordered = answers.order_by(*IN_ORDER, "position")
    return iterate_rows(ordered.values_list("session_id", "position", "at"), CHUNK)


def _backlog_rows(
    session: ExportedSession, state: dict[str, Any], times: Mapping[int, datetime]
) -> Iterator[BacklogRow]:
    items = backlog_of(session.session.plan_id, state)
    documents = documents_behind(session.session.plan_id, items)
    for item in items:
        yield BacklogRow(
            session,
            question=item.id,
            text=item.text,
            priority=item.priority,
            origin=item.origin,
            parent=item.parent,
            documents="\n".join(documents.get(item.id, ())),
            question_status=item.status,
            round=item.round or None,
            asked=item.asked,
            answer=item.answer,
            position=item.position or None,
            at=times.get(item.position),
            confidence=item.confidence,
        )


BACKLOG = Table(
    "backlog",
    "One row a question of the backlog of each interview that has one, with what became of it.",
    columns_of(BacklogRow),
    rows,
)
