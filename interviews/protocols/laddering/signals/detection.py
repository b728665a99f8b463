"""A moment -> its signals.

Two passes: all but meta, then meta, which is made of what the first pass saw.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from interviews.protocols.laddering.signals.base import (
    SIGNALS,
    NodeSignal,
    TalkSignal,
    Value,
    Values,
)
from interviews.protocols.laddering.signals.moment import FocusCandidate, Moment

TalkSignals = list[TalkSignal]
NodeSignals = list[NodeSignal]


@dataclass(frozen=True, slots=True)
class DetectedSignals:
    """All signals of a moment, by name; those of candidates by the candidate's id."""

    talk: Values
    nodes: Mapping[str, Values]


def detect(moment: Moment) -> DetectedSignals:
    """Every signal that has a value at this moment, as it is told to people."""
    talk: Values = {}
    for meta in (False, True):
        talk = {**talk, **_of_talk(_talk_signals(meta), moment, talk)}
    passes = [_node_signals(meta) for meta in (False, True)]
    nodes = {one.id: _of_node(passes, one, moment, talk) for one in moment.candidates}
    return DetectedSignals(talk, nodes)


def weighable(values: Values, moment: Moment) -> dict[str, Value]:
    """The same values as they are weighed: numbers from 0 to 1."""
    return {
        name: value if isinstance(value, str) else SIGNALS[name].scaled(value, moment)
        for name, value in values.items()
    }


def _talk_signals(meta: bool) -> TalkSignals:
    return [s for s in SIGNALS.values() if isinstance(s, TalkSignal) and _is_meta(s.pool) == meta]


def _node_signals(meta: bool) -> NodeSignals:
    return [s for s in SIGNALS.values() if isinstance(s, NodeSignal) and _is_meta(s.pool) == meta]


def _is_meta(pool: str) -> bool:
    return pool == "meta"


def _of_talk(signals: TalkSignals, moment: Moment, seen: Values) -> dict[str, Value]:
    read = ((signal.name, signal.read(moment, seen)) for signal in signals)
    return {name: value for name, value in read if value is not None}


def _of_node(
    passes: list[NodeSignals], candidate: FocusCandidate, moment: Moment, talk: Values
) -> dict[str, Value]:
    found: dict[str, Value] = {}
    for signals in passes:
        seen = {**talk, **found} if found else talk
        for signal in signals:
            value = signal.read(candidate, moment, seen)
            if value is not None:
                found[signal.name] = value
    return found
