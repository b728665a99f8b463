"""What a signal is."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import ClassVar, Literal

from interviews.protocols.laddering.signals.moment import FocusCandidate, Moment
from plans.protocols.laddering.schema.vocabulary import Term, register_term

Pool = Literal["graph", "graph.node", "llm", "temporal", "meta"]
Value = str | float
Values = Mapping[str, Value]
YES_OR_NO = ("true", "false")


class Signal(ABC):
    """One thing that is measured. A class that gives itself a name is one, and is kept.

    `description` says what is measured, how to read its values and what that means for the next
    question; it goes into prompts. Without `values` it is a number, and `full` counts as 1.
    """

    name: ClassVar[str]
    pool: ClassVar[Pool]
    description: ClassVar[str]
    values: ClassVar[tuple[str, ...]] = ()
    full: ClassVar[float] = 1.0

    def __init_subclass__(cls) -> None:
        if "name" in cls.__dict__:
            _keep(cls)

    def scaled(self, value: float, moment: Moment) -> float:
        """A number as it is weighed: 0 to 1."""
        return max(0.0, min(1.0, value / self.full))


class TalkSignal(Signal):
    """A signal of the talk as a whole."""

    @abstractmethod
    def read(self, moment: Moment, seen: Values) -> Value | None:
        """Its value; None where there is none yet. `seen` are those of the pass before."""


class NodeSignal(Signal):
    """A signal that each candidate has its own value of."""

    @abstractmethod
    def read(self, candidate: FocusCandidate, moment: Moment, seen: Values) -> Value | None:
        """Its value there; None where there is none. `seen`: the candidate's and the talk's."""


SIGNALS: dict[str, Signal] = {}


def _keep(kind: type[Signal]) -> None:
    if not kind.name.startswith(f"{kind.pool}.") or not kind.description:
        raise ValueError(f"{kind.name} needs a name in its pool {kind.pool}, and a description")
    register_term(Term(kind.name, kind.values, kind.description))
    SIGNALS[kind.name] = kind()


def yes(true: bool) -> str:
    """The value of a signal that is either so or not."""
    return "true" if true else "false"
