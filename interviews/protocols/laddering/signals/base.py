from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from interviews.protocols.laddering.signals.moment import Moment
from plans.protocols.laddering.schema.vocabulary import Term, register_term

POOLS = ("graph.", "llm.", "temporal.", "meta.")  # the last ones are computed from the others
Value = str | float
Values = Mapping[str, Value]
Read = TypeVar("Read", bound=Callable[..., Value | None])
YES_OR_NO = ("true", "false")


@dataclass(frozen=True, slots=True, kw_only=True)
class Signal(Term):
    """One thing that is measured: of each candidate, or of the interview as a whole."""

    of_node: bool
    full: float | None  # the number that counts as 1; None: as many as the ladder has rungs
    read: Callable[..., Any]  # of a candidate and the moment, or of the moment; None: no value yet

    def scaled(self, value: float, moment: Moment) -> float:
        full = len(moment.methodology.ladder) if self.full is None else self.full
        return max(0.0, min(1.0, value / full))


SIGNALS: dict[str, Signal] = {}


def _signal(
    of_node: bool, name: str, values: tuple[str, ...] = (), *, full: float | None = 1.0
) -> Callable[[Read], Read]:
    """Register a function as a signal.

    Its docstring says what is measured, how to read its values and what that means for the next
    question; it goes into prompts.
    """

    def register(read: Read) -> Read:
        description = " ".join((read.__doc__ or "").split())
        if not name.startswith(POOLS) or not description:
            raise ValueError(f"{name} needs a name in a pool, and a description")
        signal = Signal(name, values, description, of_node=of_node, full=full, read=read)
        register_term(signal)
        SIGNALS[name] = signal
        return read

    return register


talk_signal, node_signal = partial(_signal, False), partial(_signal, True)


@dataclass(frozen=True, slots=True)
class DetectedSignals:
    """All signals of a moment, by name; those of candidates by the candidate's id."""

    talk: Values
    nodes: Mapping[str, Values]


def detect(moment: Moment) -> DetectedSignals:
    """Return every signal that has a value."""
    talk = {s.name: s.read(moment) for s in SIGNALS.values() if not s.of_node}
    of_nodes = [s for s in SIGNALS.values() if s.of_node]
    return DetectedSignals(
        {name: value for name, value in talk.items() if value is not None},
        {one.id: {s.name: s.read(one, moment) for s in of_nodes} for one in moment.candidates},
    )


def weighable(values: Values, moment: Moment) -> dict[str, Value]:
    """Return the values as they are weighed: numbers from 0 to 1."""
    return {
        name: value if isinstance(value, str) else SIGNALS[name].scaled(value, moment)
        for name, value in values.items()
    }


def yes_or_no(true: bool) -> str:
    return "true" if true else "false"
