"""The long table: one row an utterance."""

from collections.abc import Iterable, Iterator
from itertools import groupby
from operator import attrgetter, itemgetter
from typing import NamedTuple

from interviews.exports.columns import Column, Table, Type
from interviews.exports.planned import sections
from interviews.exports.selection import Selection
from interviews.exports.sessions import SHARED, Facts, batches, session_columns
from interviews.exports.utterances import Thread, Utterance, utterances, words
from interviews.words import Kind, Role

SOURCES = {
    "model": "worded by the model that was meant to",
    "fallback_model": "worded by the model that stands in for it",
    "fallback": "worded without a model, since none gave anything usable",
    "rules": "fixed words, or a question as the script has it",
}

PARTICIPANT = str(Role.PARTICIPANT)
INTERVIEWER = str(Role.INTERVIEWER)


class Said(NamedTuple):
    """One utterance with its session and what only its neighbours tell."""

    session: Facts
    said: Utterance
    section: str
    question: str
    number: int | None
    gap: float | None


def rows(chosen: Selection) -> Iterator[Said]:
    """Every utterance of the chosen interviews."""
    for batch in batches(chosen.with_content()):
        yield from _said(batch)


def _said(batch: list[Facts]) -> Iterator[Said]:
    facts = {known.session.pk: known for known in batch}
    for key, conversation in groupby(utterances(batch), key=itemgetter(0)):
        yield from _conversation(facts[key], conversation)


def _conversation(session: Facts, conversation: Iterable[Utterance]) -> Iterator[Said]:
    named = sections(session.session.plan_id, session.language)
    thread, last = Thread(), None
    for said in conversation:
        thread.hear(said)
        question = thread.question if said.role == PARTICIPANT else said.question
        number = thread.number if question else None
        gap = None if last is None else round((said.at - last).total_seconds(), 3)
        yield Said(session, said, named.get(question, ""), question, number, gap)
        last = said.at


def _source(row: Said) -> str | None:
    return row.said.source or None if row.said.role == INTERVIEWER else None


TRANSCRIPTS: Table[Said] = Table(
    "transcripts",
    "One row an utterance, as it was said, in the order of the interviews and of what was said.",
    (
        *session_columns(),
        Column(
            "position",
            Type.INTEGER,
            "Place in the transcript, from 1.",
            attrgetter("said.position"),
        ),
        Column(
            "at", Type.DATETIME, "When it was said, by the server's clock.", attrgetter("said.at")
        ),
        Column(
            "role",
            Type.STRING,
            "Who spoke.",
            attrgetter("said.role"),
            {str(role.value): str(role.label) for role in Role},
        ),
        Column(
            "kind",
            Type.STRING,
            "What kind of utterance it is.",
            attrgetter("said.kind"),
            {str(kind.value): str(kind.label) for kind in Kind},
        ),
        Column(
            "section",
            Type.STRING,
            "Key of the script's section that the question belongs to.",
            attrgetter("section"),
        ),
        Column(
            "question",
            Type.STRING,
            "Key of the question that this asks or follows up; for the participant's utterances "
            "the question that was open.",
            attrgetter("question"),
        ),
        Column(
            "question_number",
            Type.INTEGER,
            "That question's number in the interview, from 1, where questions are counted.",
            attrgetter("number"),
        ),
        Column(
            "turn",
            Type.INTEGER,
            "Number of the turn: an answer and the reply to it share one. 0 is the opening.",
            attrgetter("said.turn"),
        ),
        Column("text", Type.STRING, "The words, as said.", attrgetter("said.text")),
        Column(
            "words",
            Type.INTEGER,
            "Words in it, separated by white space; of little use for scripts without spaces.",
            lambda row: words(row.said.text),
        ),
        Column(
            "characters",
            Type.INTEGER,
            "Characters in it (Unicode code points).",
            lambda row: len(row.said.text),
        ),
        Column(
            "seconds_since_previous",
            Type.NUMBER,
            "Seconds since the utterance before: for an answer, reading, thinking and writing "
            "together, pauses included; empty for the first.",
            attrgetter("gap"),
        ),
        Column(
            "source",
            Type.STRING,
            "Who worded the reply; for the interviewer's utterances only.",
            _source,
            SOURCES,
        ),
    ),
    rows,
    shared=SHARED,
)
