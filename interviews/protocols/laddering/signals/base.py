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
    """One thing that is measured. A subclass with a name of its own is registered.

    `description` says what is measured, how to read its values and what that means for the next
    question; it goes into prompts. Without `values` it is a number, and `full` counts as 1.
    """

    name: ClassVar[str]
    pool: ClassVar[Pool]
    description: ClassVar[str]
    values: ClassVar[tuple[str, ...]] = ()
    full: ClassVar[float] = 1.0

    def __init_subclass__(cls) -> None:
        if "name" not in cls.__dict__:
            return
        if not cls.name.startswith(f"{cls.pool}.") or not cls.description:
            raise ValueError(f"{cls.name} needs a name in its pool {cls.pool}, and a description")
        register_term(Term(cls.name, cls.values, cls.description))
        SIGNALS[cls.name] = cls()

    def scaled(self, value: float, moment: Moment) -> float:
        return max(0.0, min(1.0, value / self.full))


class TalkSignal(Signal):
    """A signal of the interview as a whole."""

    @abstractmethod
    def read(self, moment: Moment, seen: Values) -> Value | None:
        """Return its value, or None where there is none yet. `seen`: those of the first pass."""


class NodeSignal(Signal):
    """A signal that each candidate has its own value of."""

    @abstractmethod
    def read(self, candidate: FocusCandidate, moment: Moment, seen: Values) -> Value | None:
        """Return its value there, or None. `seen`: the candidate's and the interview's."""


SIGNALS: dict[str, Signal] = {}


def yes_or_no(true: bool) -> str:
    return "true" if true else "false"
