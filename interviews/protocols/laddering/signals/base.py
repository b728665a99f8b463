from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass

from interviews.protocols.laddering.signals.moment import FocusCandidate, Moment
from plans.protocols.laddering.schema.vocabulary import Term, register_term

POOLS = ("graph.", "llm.", "temporal.", "meta.")  # the last ones are computed from the others
Value = str | float
Values = Mapping[str, Value]
YES_OR_NO = ("true", "false")
SIGNALS: "dict[str, Signal]" = {}


class Signal(ABC):
    """One thing that is measured. A subclass with a name is registered.

    Its docstring says what is measured, how to read its values and what that means for the next
    question; it goes into prompts. Without `values` it is a number, and `full` counts as 1, or as
    many as the ladder has rungs.
    """

    def __init_subclass__(
        cls, *, name: str = "", values: tuple[str, ...] = (), full: float | None = 1.0
    ) -> None:
        if not name:
            return
        cls.name, cls.values, cls.full = name, values, full
        cls.description = " ".join((cls.__doc__ or "").split())
        if not name.startswith(POOLS) or not cls.description:
            raise ValueError(f"{name} needs a name in a pool, and a description")
        register_term(Term(name, values, cls.description))
        SIGNALS[name] = cls()

    name: str
    values: tuple[str, ...]
    full: float | None
    description: str

    def scaled(self, value: float, moment: Moment) -> float:
        full = len(moment.methodology.ladder) if self.full is None else self.full
        return max(0.0, min(1.0, value / full))


class TalkSignal(Signal):
    """A signal of the interview as a whole."""

    @abstractmethod
    def read(self, moment: Moment) -> Value | None:
        """Return its value, or None where there is none yet."""


class NodeSignal(Signal):
    """A signal that each candidate has its own value of."""

    @abstractmethod
    def read(self, candidate: FocusCandidate, moment: Moment) -> Value:
        """Return its value there."""


@dataclass(frozen=True, slots=True)
class DetectedSignals:
    """All signals of a moment, by name; those of candidates by the candidate's id."""

    talk: Values
    nodes: Mapping[str, Values]


def detect(moment: Moment) -> DetectedSignals:
    """Return every signal that has a value."""
    talk = {s.name: s.read(moment) for s in SIGNALS.values() if isinstance(s, TalkSignal)}
    of_nodes = [s for s in SIGNALS.values() if isinstance(s, NodeSignal)]
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
