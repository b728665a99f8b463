"""One row an answer: how it came about, and whether it looks hurried."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from operator import attrgetter
from typing import Any, NamedTuple
from uuid import UUID

from interviews.effort import HURRIED, REASONS, Effort, efforts
from interviews.exports.columns import Column, Table, Type, Value
from interviews.exports.reading import rows_of
from interviews.exports.reasons import NO_ANSWER
from interviews.exports.selection import Selection
from interviews.exports.sessions import SHARED, Facts, batches, by_session, keys, session_columns
from interviews.exports.utterances import (
    CHUNK,
    IN_ORDER,
    Thread,
    TurnMade,
    Utterance,
    conversations,
    words,
)
from interviews.models import Paradata
from interviews.words import Kind, Role

SIGNS = "; ".join(f"{sign}: {reason}" for sign, reason in REASONS.items())
DONE = (Kind.USER_ANSWER, Kind.CANDIDATE_QUESTION, Kind.SKIP)


class Measured(NamedTuple):
    """What was measured of one answer, as stored."""

    session_id: UUID
    position: int
    response_ms: int | None
    first_key_ms: int | None
    edits: int | None
    pastes: int | None
    pasted_characters: int | None
    focus_losses: int | None
    away_ms: int | None
    dictated: bool | None


class Written(NamedTuple):
    """One answer with the question that was open, its measures and its rating."""

    session: Facts
    said: Utterance
    question: str
    number: int | None
    measured: Measured | None
    effort: Effort | None


def rows(chosen: Selection) -> Iterator[Written]:
    """Every answer and every skip of the chosen interviews."""
    for batch in batches(chosen.with_content()):
        measures = by_session(batch, _measures(batch))
        for (facts, said, turns), (_, found) in zip(conversations(batch), measures, strict=True):
            yield from _written(facts, said, turns, {one.position: one for one in found})


def _measures(batch: Sequence[Facts]) -> Iterator[Measured]:
    """Session by session, in order."""
    stored = Paradata.objects.filter(entry__session__in=keys(batch))
    ordered = stored.order_by(*(f"entry__{name}" for name in (*IN_ORDER, "position")))
    fields = ("entry__session_id", "entry__position", *Measured._fields[2:])
    return map(Measured._make, rows_of(ordered.values_list(*fields), CHUNK))


def _written(
    facts: Facts,
    said: list[Utterance],
    turns: list[TurnMade],
    measures: Mapping[int, Measured],
) -> Iterator[Written]:
    found = _rated(facts, said, turns, measures)
    thread = Thread()
    for one in said:
        thread.hear(one)
        if one.role == Role.PARTICIPANT:
            measured, effort = measures.get(one.position), found.get(one.position)
            yield Written(facts, one, thread.question, thread.number, measured, effort)


def _rated(
    facts: Facts,
    said: list[Utterance],
    turns: list[TurnMade],
    measures: Mapping[int, Measured],
) -> dict[int, Effort]:
    declined = {turn.number for turn in turns if turn.decision.get("reason") in NO_ANSWER}
    appearing = {turn.number: _appearing(turn) for turn in turns}
    return efforts(
        said,
        facts.language,
        measures,
        {one.position: appearing.get(one.turn) for one in said},
        {one.position for one in said if one.turn in declined},
    )


def _appearing(turn: TurnMade) -> int | None:
    """For how many milliseconds the reply was being shown before it stood there whole."""
    if turn.first_word_ms is None or turn.total_ms is None:
        return None
    return max(0, turn.total_ms - turn.first_word_ms)


def _measure(name: str) -> Callable[[Written], Value]:
    return lambda row: getattr(row.measured, name, None)


def _effort(read: Callable[[Effort], Value]) -> Callable[[Written], Value]:
    return lambda row: None if row.effort is None else read(row.effort)


def _number(name: str, meaning: str) -> Column[Any]:
    return Column(name, Type.INTEGER, meaning, _measure(name))


PARADATA: Table[Written] = Table(
    "paradata",
    "One row an answer or skip: how it came about, and whether it looks hurried. The measures of "
    "the page are empty where it had no script, where a program answered without them, and where "
    "the bot keeps none; the keys that were pressed are never recorded.",
    (
        *session_columns(),
        Column(
            "position",
            Type.INTEGER,
            "Place of the answer in the transcript, from 1.",
            attrgetter("said.position"),
        ),
        Column("turn", Type.INTEGER, "Number of its turn.", attrgetter("said.turn")),
        Column(
            "question", Type.STRING, "Key of the question that was open.", attrgetter("question")
        ),
        Column(
            "question_number",
            Type.INTEGER,
            "That question's number in the interview, from 1, where questions are counted.",
            attrgetter("number"),
        ),
        Column(
            "kind",
            Type.STRING,
            "What the participant did.",
            attrgetter("said.kind"),
            {str(kind.value): str(kind.label) for kind in DONE},
        ),
        Column(
            "words",
            Type.INTEGER,
            "Words in it, separated by white space.",
            lambda row: words(row.said.text),
        ),
        _number(
            "response_ms",
            "Milliseconds from when the question stood whole in the transcript to when the answer "
            "was received, by the server's clock, without pauses that were asked for. Time away "
            "and offline is in it. Empty beyond 24 days.",
        ),
        _number(
            "first_key_ms",
            "Milliseconds from when the page showed the question to the first thing put into the "
            "text box by key, paste or voice, by the participant's clock, without pauses. 0: the "
            "words had been begun before the question came.",
        ),
        _number(
            "edits",
            "How often words were deleted or replaced; plain typing doesn't count. On phones, "
            "whose keyboards rewrite words by themselves, a rough figure.",
        ),
        _number("pastes", "How often something was pasted or dropped into the text box."),
        _number(
            "pasted_characters",
            "Characters (UTF-16 units) of all that was pasted or dropped, also if it was deleted "
            "again; the participant's own words that were moved are among them.",
        ),
        _number(
            "focus_losses",
            "How often the page was left for another page or program while the question was open. "
            "Loading it again within 5 seconds doesn't count.",
        ),
        _number("away_ms", "Milliseconds for which it was left, by the participant's clock."),
        Column(
            "dictated", Type.BOOLEAN, "Some of it was spoken into the page.", _measure("dictated")
        ),
        Column(
            "effort_score",
            Type.NUMBER,
            "How much speaks for haste, by rules, from 0 (nothing) to 1. Made anew by each export, "
            "of the transcript and these measures; nobody was treated by it. Empty for skips, "
            "refusals, words about stopping, and what was given in confidence.",
            _effort(attrgetter("score")),
        ),
        Column(
            "looks_hurried",
            Type.BOOLEAN,
            f"The score is {HURRIED} or more: worth reading again, and no proof of anything.",
            _effort(attrgetter("hurried")),
        ),
        Column(
            "effort_signs",
            Type.STRING,
            f"What speaks for haste, the weightiest first, with spaces between. {SIGNS}.",
            _effort(lambda effort: " ".join(effort.signs) or None),
        ),
    ),
    rows,
    shared=SHARED,
)
