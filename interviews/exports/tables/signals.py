"""One row a turn that read a signal: how much the answer gave, and where it led."""

from collections.abc import Callable, Iterator
from operator import attrgetter
from typing import Any, NamedTuple

from interviews.exports.columns import Column, Table, Type
from interviews.exports.selection import Selection
from interviews.exports.sessions import SHARED, Facts, batches, session_columns
from interviews.exports.utterances import TurnMade, conversations

BANDS = {
    "LOW": "signal score below 0.3",
    "MEDIUM": "signal score from 0.3 to 0.6",
    "HIGH": "signal score above 0.6",
}
STATUSES = {
    "EXPLORING": "a turn on a topic",
    "EXPLORING_DEEP": "a bonus turn on a topic",
    "TRANSITION": "the next topic was begun",
    "DEEPENING": "a turn on what was left open",
    "DEEP_OFFER_ASK": "an extension was offered",
    "DATA_COLLECTION_CONSENT": "consent was asked for",
    "DATA_COLLECTION": "data were asked for",
    "COMPLETE_WITHOUT_DATA": "the end, no data given",
    "FINAL_GOODBYE": "the end, data given",
}


class Signal(NamedTuple):
    """One turn with what its trace says."""

    session: Facts
    turn: TurnMade
    details: dict[str, Any]


def rows(chosen: Selection) -> Iterator[Signal]:
    """Every finished turn that a supervisor's status was stored with."""
    for batch in batches(chosen.with_content()):
        for facts, _said, turns in conversations(batch):
            for turn in turns:
                details = turn.decision.get("details", {})
                if "supervisor" in details:
                    yield Signal(facts, turn, details)


def _detail(name: str) -> Callable[[Signal], Any]:
    return lambda row: row.details.get(name) or None


SIGNALS: Table[Signal] = Table(
    "signals",
    "One row a turn of interviews that score answers: how much the answer gave, and where it led.",
    (
        *session_columns(),
        Column("turn", Type.INTEGER, "Number of the turn.", attrgetter("turn.number")),
        Column("at", Type.DATETIME, "When the reply was given.", attrgetter("turn.spoken_at")),
        Column("answered_topic", Type.STRING, "Topic of the answer.", _detail("answered_topic")),
        Column(
            "signal_score",
            Type.NUMBER,
            "How much the answer gave, from 0 to 1.",
            lambda row: row.details.get("signal_score"),
        ),
        Column("signal_band", Type.STRING, "The band of the score.", _detail("signal_band"), BANDS),
        Column(
            "seconds_left",
            Type.INTEGER,
            "Seconds left of the planned time when the answer came; below zero after it.",
            lambda row: row.details.get("seconds_left"),
        ),
        Column("rule", Type.STRING, "The rule that decided where to go.", _detail("row")),
        Column("supervisor", Type.STRING, "What the reply did.", _detail("supervisor"), STATUSES),
        Column("phase", Type.STRING, "The phase after it.", _detail("phase")),
        Column("topic", Type.STRING, "The topic after it.", _detail("topic")),
    ),
    rows,
    shared=SHARED,
)
