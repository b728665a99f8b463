"""One row each time that a guard replaced something a model had said."""

from collections.abc import Callable, Iterator
from operator import attrgetter
from typing import Any, NamedTuple

from interviews.exports.columns import Column, Table, Type
from interviews.exports.selection import Selection
from interviews.exports.sessions import SHARED, Facts, batches, session_columns
from interviews.exports.utterances import TurnMade, Utterance, conversations
from interviews.words import Role


class Fired(NamedTuple):
    """One firing, with the turn that it happened in and what was said in its stead."""

    session: Facts
    turn: TurnMade
    firing: dict[str, Any]
    said: str


def rows(chosen: Selection) -> Iterator[Fired]:
    """Every firing of every finished turn."""
    for batch in batches(chosen.with_content()):
        for facts, said, turns in conversations(batch):
            for turn in turns:
                yield from _fired(facts, turn, said)


def _fired(facts: Facts, turn: TurnMade, said: list[Utterance]) -> Iterator[Fired]:
    firings = turn.decision.get("firings", ())
    reply = "\n\n".join(_reply(turn, said)) if firings else ""
    for firing in firings:
        yield Fired(facts, turn, firing, reply)


def _reply(turn: TurnMade, said: list[Utterance]) -> Iterator[str]:
    for one in said:
        if one.turn == turn.number and one.role == Role.INTERVIEWER:
            yield one.text


def _firing(name: str) -> Callable[[Fired], Any]:
    return lambda row: row.firing.get(name)


GUARD_FIRINGS: Table[Fired] = Table(
    "guard_firings",
    "One row each time that a rule replaced something a model had proposed to say.",
    (
        *session_columns(),
        Column("turn", Type.INTEGER, "Number of the turn.", attrgetter("turn.number")),
        Column("at", Type.DATETIME, "When the reply was given.", attrgetter("turn.spoken_at")),
        Column("guard", Type.STRING, "The rule.", _firing("guard")),
        Column("because", Type.STRING, "What was wrong.", _firing("reason")),
        Column("before", Type.STRING, "What the model had proposed.", _firing("before")),
        Column("said", Type.STRING, "The whole reply as it was given.", attrgetter("said")),
    ),
    rows,
    shared=SHARED,
)
