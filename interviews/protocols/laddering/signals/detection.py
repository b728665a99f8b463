from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from interviews.protocols.laddering.signals.base import (
    SIGNALS,
    NodeSignal,
    TalkSignal,
    Value,
    Values,
)
from interviews.protocols.laddering.signals.moment import FocusCandidate, Moment


@dataclass(frozen=True, slots=True)
class DetectedSignals:
    """All signals of a moment, by name; those of candidates by the candidate's id."""

    talk: Values
    nodes: Mapping[str, Values]


def detect(moment: Moment) -> DetectedSignals:
    """Return every signal that has a value, in two passes: all but meta, then meta."""
    pools = [[s for s in SIGNALS.values() if (s.pool == "meta") == meta] for meta in (False, True)]
    talk: dict[str, Value] = {}
    for pool in pools:
        read = {s.name: s.read(moment, talk) for s in pool if isinstance(s, TalkSignal)}
        talk |= {name: value for name, value in read.items() if value is not None}
    of_nodes = [[s for s in pool if isinstance(s, NodeSignal)] for pool in pools]
    nodes = {one.id: _read_nodes(of_nodes, one, moment, talk) for one in moment.candidates}
    return DetectedSignals(talk, nodes)


def weighable(values: Values, moment: Moment) -> dict[str, Value]:
    """Return the values as they are weighed: numbers from 0 to 1."""
    return {
        name: value if isinstance(value, str) else SIGNALS[name].scaled(value, moment)
        for name, value in values.items()
    }


def _read_nodes(
    pools: Sequence[Sequence[NodeSignal]], candidate: FocusCandidate, moment: Moment, talk: Values
) -> dict[str, Value]:
    found: dict[str, Value] = {}
    for pool in pools:
        seen = {**talk, **found} if found else talk
        read = {signal.name: signal.read(candidate, moment, seen) for signal in pool}
        found |= {name: value for name, value in read.items() if value is not None}
    return found
