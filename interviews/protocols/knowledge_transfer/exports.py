from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Annotated, Any, NamedTuple

from interviews.choices import SpeakerRole
from interviews.exports.columns import Table, columns_of
from interviews.exports.database_cursor import iterate_rows
from interviews.exports.reasons import READERS
from interviews.exports.refi_qda.codes import (
    CodableInterview,
    CodeDefinition,
    Coding,
    below,
    register_codes,
)
from interviews.exports.registry import register
from interviews.exports.selection import Selection
from interviews.exports.sessions import ExportedSession, batches, by_session, keys
from interviews.exports.utterances import CHUNK, IN_ORDER
from interviews.models import Fact, Session, TranscriptEntry
from interviews.protocols.knowledge_transfer.backlog import backlog_of, documents_behind
from interviews.protocols.knowledge_transfer.state import BacklogItem

CONFIDENCES = {"0.3": "low", "0.6": "medium", "0.9": "high"}


class FactRow(NamedTuple):
    session: ExportedSession
    number: Annotated[int, "Number of the fact in its interview, from 1."]
    fact: Annotated[str, "The fact, as it stands now."]
    original: Annotated[str, "The fact as it was extracted."]
    edited: Annotated[bool, "Whether a person has put it in other words."]
    edited_at: Annotated[datetime | None, "When that was."]
    question: Annotated[str, "Id of the question that it answers."]
    question_text: Annotated[str, "That question, as the backlog has it."]
    documents: Annotated[
        str,
        "Documents that the question comes from, a line each; for follow-ups and discoveries "
        "those of the question that they go back to.",
    ]
    confidence: Annotated[float, "How sure and complete the answer was.", CONFIDENCES]
    source: Annotated[str, "What found it.", READERS]
    position: Annotated[int, "Place in the transcript of the answer that it comes from."]
    at: Annotated[datetime, "When that was said."]
    merged_into: Annotated[
        int | None,
        "Number of the fact that it was merged into, which stands for it; empty where it stands "
        "by itself.",
    ]
    merged_into_session: Annotated[str | None, "The interview (UUID) of that fact."]


FIELDS = (
    *("session_id", "number", "text", "original", "edited_at", "question"),
    *("confidence", "source", "entry__position", "entry__at", "merged_into__number"),
    "merged_into__session_id",
)


def fact_rows(chosen: Selection) -> Iterator[FactRow]:
    for batch in batches(chosen.with_content()):
        facts = Fact.objects.filter(session__in=keys(batch)).order_by(*IN_ORDER, "number")
        stored = facts.values_list(*FIELDS).iterator(chunk_size=CHUNK)
        states = dict(Session.objects.filter(pk__in=keys(batch)).values_list("pk", "state"))
        for session, session_facts in by_session(batch, stored):
            if session_facts:
                yield from _fact_rows(session, session_facts, states[session.session.pk])


def _fact_rows(
    session: ExportedSession, stored: list[Any], state: dict[str, Any]
) -> Iterator[FactRow]:
    items = backlog_of(session.session.plan_id, state)
    texts = {item.id: item.text for item in items}
    documents = documents_behind(session.session.plan_id, items)
    for _, number, text, original, edited_at, question, *details, merged_session in stored:
        names = "\n".join(documents.get(question, ()))
        edit = (edited_at is not None, edited_at)
        asked = (question, texts.get(question, ""), names)
        merged = str(merged_session) if merged_session else None
        yield FactRow._make((session, number, text, original, *edit, *asked, *details, merged))


FACTS = Table(
    "facts",
    "One row a fact that an answer brought to light, with the answer's place. Merged facts are "
    "among them and say where they went.",
    columns_of(FactRow),
    fact_rows,
)


PRIORITIES = {"P0": "asked first", "P1": "asked after that", "P2": "not asked: an open point"}
ORIGINS = {
    "ANALYSIS": "drafted from the documents",
    "ADMIN": "written by the people of the study",
    "FOLLOW_UP": "asked since an answer stayed vague",
    "DISCOVERED": "came up in an answer",
    "LAST": "the closing question",
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
        "came up in the interview with discovered-. The closing question's is closing question.",
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
    round: Annotated[
        int | None,
        "Round in which it was asked, from 1; empty where it wasn't. The closing question takes "
        "none, and has that of the question before it.",
    ]
    asked: Annotated[str, "How it was put in the conversation."]
    answer: Annotated[str, "The participant's words."]
    position: Annotated[int | None, "Place of the answer in the transcript."]
    at: Annotated[datetime | None, "When the answer was given."]
    confidence: Annotated[float | None, "How sure and complete the answer was.", CONFIDENCES]


SAME = ("text", "priority", "origin", "parent", "asked", "answer", "confidence")


def backlog_rows(chosen: Selection) -> Iterator[BacklogRow]:
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
            session=session,
            **{name: getattr(item, name) for name in SAME},
            question=item.id,
            documents="\n".join(documents.get(item.id, ())),
            question_status=item.status,
            round=item.round or None,
            position=item.position or None,
            at=times.get(item.position),
        )


BACKLOG = Table(
    "backlog",
    "One row a question of the backlog of each interview that has one, with what became of it.",
    columns_of(BacklogRow),
    backlog_rows,
)


def backlog_codes(interviews: Sequence[CodableInterview]) -> Iterator[Coding]:
    """Code answers with their question; those to questions that came up stand below the parent."""
    keys = [one.key for one in interviews]
    states = dict(Session.objects.filter(pk__in=keys).values_list("pk", "state"))
    for one in interviews:
        items = backlog_of(one.session.session.plan_id, states[one.key])
        codes = _question_codes(one, items)
        for answer in one.answers:
            if answer.question in codes:
                yield Coding(one.key, answer.said.position, codes[answer.question])


def _question_codes(
    interview: CodableInterview, items: Sequence[BacklogItem]
) -> dict[str, CodeDefinition]:
    codes: dict[str, CodeDefinition] = {}
    for item in items:  # a parent comes before what came up in its answer
        parent = codes.get(item.parent) or interview.root("Questions")
        key = f"{interview.key}:{item.id}" if item.parent else item.id  # its id is the interview's
        codes[item.id] = below(parent, key, item.text)
    return codes


register(BACKLOG, FACTS, position=60)
register_codes(backlog_codes)
