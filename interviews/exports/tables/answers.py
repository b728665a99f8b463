"""One row a question that the plan names beforehand: asked, left out, or not reached."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from operator import attrgetter
from typing import Any

from interviews.exports.columns import Column, Table, Type, Value
from interviews.exports.planned import PlannedQuestion
from interviews.exports.reasons import ABOUT_STOPPING, DECLINED, REASONS
from interviews.exports.selection import Selection
from interviews.exports.sessions import SHARED, Facts, batches, session_columns
from interviews.exports.utterances import Thread, TurnMade, Utterance, conversations, words
from interviews.words import Kind, Role

OUTCOMES = {
    "answered": "asked, and answered in words",
    "declined": "asked, and skipped or kept private by the participant",
    "asked": "asked, and nothing was said to it",
    "left_out": "left out by the interviewer, since it was known already",
    "not_reached": "the interview ended, or stands, before it",
}
BETWEEN = "\n\n"  # between the answers of one question
Place = tuple[int, str]  # a question's number in the interview, and its key


@dataclass
class Block:
    """All that was said to one question."""

    asked: Utterance | None = None
    answers: list[str] = field(default_factory=list)
    follow_ups: int = 0
    declined: bool = False
    ended_by: str = ""


@dataclass(frozen=True)
class Accounted:
    """One planned question and what became of it."""

    session: Facts
    planned: PlannedQuestion
    block: Block
    left_out: str | None  # why, where it was

    @property
    def outcome(self) -> str:
        """One of OUTCOMES."""
        if self.block.answers:
            return "answered"
        if self.block.asked is not None:
            return "declined" if self.block.declined else "asked"
        return "not_reached" if self.left_out is None else "left_out"

    @property
    def asked_at(self) -> datetime | None:
        """When it was first asked."""
        return self.block.asked.at if self.block.asked else None

    @property
    def asked_text(self) -> str | None:
        """How it was first worded."""
        return self.block.asked.text if self.block.asked else None


def rows(chosen: Selection) -> Iterator[Accounted]:
    """Every planned question of every chosen interview."""
    for batch in batches(chosen.with_content()):
        for facts, said, turns in conversations(batch):
            yield from _accounted(facts, said, turns)


def _accounted(facts: Facts, said: list[Utterance], turns: list[TurnMade]) -> Iterator[Accounted]:
    blocks = _blocks(said, {turn.number: _reason(turn) for turn in turns})
    left_out: dict[str, str] = {}
    for turn in turns:
        left_out |= turn.decision.get("details", {}).get("skipped", {})
    for planned in facts.questions:
        block = _said_to(planned, blocks, facts)
        yield Accounted(facts, planned, block, left_out.get(planned.key))


def _said_to(planned: PlannedQuestion, blocks: Mapping[Place, Block], facts: Facts) -> Block:
    """What was said to a planned question. Its number tells, or its key where that stands once:
    a list that is asked in no fixed order is numbered as it is asked.
    """
    once = sum(other.key == planned.key for other in facts.questions) == 1
    asked = (b for (_, key), b in blocks.items() if once and key == planned.key)
    return blocks.get((planned.number, planned.key)) or next(asked, Block())


def _reason(turn: TurnMade) -> str:
    return str(turn.decision.get("reason", ""))


def _blocks(said: list[Utterance], reasons: Mapping[int, str]) -> dict[Place, Block]:
    """What was said to each question."""
    blocks: dict[Place, Block] = {}
    thread = Thread()
    for one in said:
        thread.hear(one)
        if thread.number is None:
            continue
        block = blocks.setdefault((thread.number, thread.question), Block())
        if one.role == Role.PARTICIPANT:
            _heard(block, one, reasons.get(one.turn, ""))
        elif one.kind == Kind.FOLLOW_UP:
            block.follow_ups += 1
        elif block.asked is None:
            block.asked = one
    return blocks


def _heard(block: Block, said: Utterance, reason: str) -> None:
    """What the participant said to it; a skip, or words about stopping, are no answer."""
    block.ended_by = reason
    if reason in DECLINED or said.kind == Kind.SKIP:
        block.declined = True
    elif reason not in ABOUT_STOPPING and said.text:
        block.answers.append(said.text)


def _of(path: str) -> Callable[[Accounted], Any]:
    return attrgetter(path)


def _why(row: Accounted) -> Value:
    return row.left_out if row.outcome == "left_out" else None


ANSWERS: Table[Accounted] = Table(
    "answers",
    "One row a question of the interview's plan, whether it was asked or not, so that each is "
    "accounted for. Interviews whose plan names no questions beforehand have none.",
    (
        *session_columns(),
        Column("section", Type.STRING, "Key of the script's section.", _of("planned.section")),
        Column("question", Type.STRING, "The question's key.", _of("planned.key")),
        Column(
            "question_number",
            Type.INTEGER,
            "Its number in the script, from 1.",
            _of("planned.number"),
        ),
        Column("outcome", Type.STRING, "What became of it.", _of("outcome"), OUTCOMES),
        Column("left_out_because", Type.STRING, "Why it was left out, in the model's words.", _why),
        Column(
            "scripted_text", Type.STRING, "The question as the plan has it.", _of("planned.text")
        ),
        Column("asked_text", Type.STRING, "The question as it was asked.", _of("asked_text")),
        Column("asked_at", Type.DATETIME, "When it was first asked.", _of("asked_at")),
        Column(
            "answer",
            Type.STRING,
            "Everything that was answered to it and to its follow-ups, with an empty line between "
            "the answers. Skips and words about stopping are left out.",
            lambda row: BETWEEN.join(row.block.answers) or None,
        ),
        Column("answers", Type.INTEGER, "How many answers.", lambda row: len(row.block.answers)),
        Column("follow_ups", Type.INTEGER, "How many follow-ups.", _of("block.follow_ups")),
        Column(
            "words",
            Type.INTEGER,
            "Words of these answers, separated by white space.",
            lambda row: sum(words(text) for text in row.block.answers),
        ),
        Column(
            "ended_by",
            Type.STRING,
            "Why the interviewer went on after the last thing said to it; empty if nothing was.",
            lambda row: row.block.ended_by or None,
            REASONS,
        ),
    ),
    rows,
    shared=SHARED,
)
