from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated, NamedTuple

from interviews.choices import BESIDE_THE_STUDY, DECLINED, NO_ANSWER, EntryKind, SpeakerRole
from interviews.exports.columns import Table, columns_of
from interviews.exports.planned import PlannedQuestion, planned_topics
from interviews.exports.reasons import REASONS
from interviews.exports.selection import Selection
from interviews.exports.sessions import ExportedSession, batches
from interviews.exports.utterances import (
    FinishedTurn,
    OpenQuestionTracker,
    TranscriptUtterance,
    conversations,
    reasons_of,
    repeats,
)
from plans.text import word_count

OUTCOMES = {
    "answered": "asked, and answered in words",
    "declined": "asked, and skipped or kept private by the participant",
    "asked": "asked, and nothing was said to it",
    "left_out": "left out by the interviewer: told already, or about a subject that was refused",
    "not_reached": "the interview ended, or stands, before it",
}
LEFT_OUT = {
    "met": "told already, in an answer to another question",
    "closed": "about a subject that the participant had refused",
}
ASKS_ELSE = (EntryKind.DEEP_OFFER, EntryKind.CONSENT_REQUEST, EntryKind.DATA_REQUEST)
SEPARATOR = "\n\n"  # between the answers of one question
BlockKey = tuple[int, str]  # a question's number in the interview, and its key


@dataclass
class Block:
    asked: TranscriptUtterance | None = None
    answers: list[str] = field(default_factory=list)
    follow_ups: set[str] = field(default_factory=set)  # their texts: one put again counts once
    declined: bool = False
    ended_by: str = ""


class AnswerRow(NamedTuple):
    session: ExportedSession
    section: Annotated[str, "Key of the script's section."]
    question: Annotated[str, "The question's key, or the topic's."]
    question_number: Annotated[int, "Its number in the script, or among the topics, from 1."]
    outcome: Annotated[str, "What became of it.", OUTCOMES]
    left_out_because: Annotated[str | None, "Why it was left out.", LEFT_OUT]
    scripted_text: Annotated[str, "The question, or the topic, as the plan has it."]
    asked_text: Annotated[str | None, "The question, or the first on the topic, as it was asked."]
    asked_at: Annotated[datetime | None, "When it was first asked."]
    answer: Annotated[
        str | None,
        "Everything that was answered to it and to its follow-ups, with an empty line between the "
        "answers. Skips and words about stopping are left out.",
    ]
    answers: Annotated[int, "How many answers."]
    follow_ups: Annotated[int, "How many follow-ups, or further questions on the topic."]
    words: Annotated[int, "Words of these answers, separated by white space."]
    ended_by: Annotated[
        str | None,
        "Why the interviewer went on after the last thing said to it; empty if nothing was.",
        REASONS,
    ]


def rows(selection: Selection) -> Iterator[AnswerRow]:
    for batch in batches(selection.with_content()):
        for session, said, turns in conversations(batch):
            yield from _session_rows(session, said, turns)


def _session_rows(
    session: ExportedSession, said: list[TranscriptUtterance], turns: list[FinishedTurn]
) -> Iterator[AnswerRow]:
    reasons = reasons_of(turns)
    said = [one for one in said if not repeats(one, reasons)]
    topics = planned_topics(session.session.plan_id)
    blocks = _topic_blocks(said, reasons, topics) if topics else _blocks(said, reasons)
    left_out = _left_out(turns)
    for planned in topics or session.questions:
        block = _find_block(planned, blocks, session)
        yield _answer(session, planned, block, left_out.get(planned.number))


def _left_out(turns: Sequence[FinishedTurn]) -> dict[int, str]:
    """Return why questions were left out, by number."""
    return {
        number: why
        for turn in turns
        for why in LEFT_OUT
        for number in turn.decision.get("details", {}).get(why, {}).values()
    }


def _answer(
    session: ExportedSession, planned: PlannedQuestion, block: Block, left_out: str | None
) -> AnswerRow:
    outcome = _outcome(block, left_out)
    return AnswerRow(
        session,
        section=planned.section,
        question=planned.key,
        question_number=planned.number,
        outcome=outcome,
        left_out_because=left_out if outcome == "left_out" else None,
        scripted_text=planned.text,
        asked_text=block.asked.text if block.asked else None,
        asked_at=block.asked.at if block.asked else None,
        answer=SEPARATOR.join(block.answers) or None,
        answers=len(block.answers),
        follow_ups=len(block.follow_ups),
        words=sum(word_count(text) for text in block.answers),
        ended_by=block.ended_by or None,
    )


def _outcome(block: Block, left_out: str | None) -> str:
    if block.answers:
        return "answered"
    if block.asked is not None:
        return "declined" if block.declined else "asked"
    return "not_reached" if left_out is None else "left_out"


def _find_block(
    planned: PlannedQuestion, blocks: Mapping[BlockKey, Block], session: ExportedSession
) -> Block:
    """Return what was said to a planned question, found by number and key.

    Questions that are asked in no fixed order are numbered as they are asked: they are found by
    their key, if only one question of the script has it.
    """
    once = sum(other.key == planned.key for other in session.questions) == 1
    same_key = (b for (_, key), b in blocks.items() if once and key == planned.key)
    return blocks.get((planned.number, planned.key)) or next(same_key, Block())


def _blocks(said: list[TranscriptUtterance], reasons: Mapping[int, str]) -> dict[BlockKey, Block]:
    blocks: dict[BlockKey, Block] = {}
    tracker = OpenQuestionTracker()
    for one in said:
        tracker.update(one.role, one.kind, one.question, one.number)
        if tracker.number is None or _asks_beside(one):
            continue
        block = blocks.setdefault((tracker.number, tracker.question), Block())
        if one.role == SpeakerRole.PARTICIPANT:
            _add_answer(block, one, reasons.get(one.turn, ""))
        elif one.kind == EntryKind.FOLLOW_UP:
            block.follow_ups.add(one.text)
        elif block.asked is None:
            block.asked = one
    return blocks


def _topic_blocks(
    said: list[TranscriptUtterance], reasons: Mapping[int, str], topics: Sequence[PlannedQuestion]
) -> dict[BlockKey, Block]:
    """Gather what was said to each topic, to whichever of its questions and however often."""
    numbers = {topic.key: topic.number for topic in topics}
    blocks: dict[BlockKey, Block] = {}
    topic = ""
    for one in said:
        if one.kind in ASKS_ELSE:
            topic = ""
        elif one.role == SpeakerRole.INTERVIEWER and one.question:
            topic = one.question
        if topic not in numbers or _asks_beside(one):
            continue
        block = blocks.setdefault((numbers[topic], topic), Block())
        if one.role == SpeakerRole.PARTICIPANT:
            _add_answer(block, one, reasons.get(one.turn, ""))
        elif block.asked is None:
            block.asked = one
        elif one.kind == EntryKind.TOPIC_QUESTION:
            block.follow_ups.add(one.text)
    return blocks


def _asks_beside(said: TranscriptUtterance) -> bool:
    return said.role == SpeakerRole.INTERVIEWER and said.kind in BESIDE_THE_STUDY


def _add_answer(block: Block, said: TranscriptUtterance, reason: str) -> None:
    block.ended_by = reason
    if said.kind in BESIDE_THE_STUDY:
        return
    if reason in DECLINED or said.kind == EntryKind.SKIP:
        block.declined = True
    elif reason not in NO_ANSWER and said.text:
        block.answers.append(said.text)


ANSWERS = Table(
    "answers",
    "One row a question of the interview's plan, or a topic where it names topics instead, whether "
    "it was asked or not, so that each is accounted for. Other plans have none.",
    columns_of(AnswerRow),
    rows,
)
