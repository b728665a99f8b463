from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, TypeVar

Out = TypeVar("Out")
OFFLINE = "offline"  # why a fallback was used: no model is configured


class Source(StrEnum):
    MODEL = "model"
    FALLBACK_MODEL = "fallback_model"
    FALLBACK = "fallback"


@dataclass(frozen=True, slots=True)
class Outcome(Generic[Out]):
    """A task's result; `reason` says why the first model didn't make it (empty if it did).

    `echoes` is an earlier question repeated by the value: stored in interviews of former versions,
    never set any more.
    """

    value: Out
    source: Source
    reason: str = ""
    echoes: str = ""

    @property
    def by_model(self) -> bool:
        """Whether a model made it, be it the one that stands in for the first."""
        return self.source is not Source.FALLBACK

    @property
    def is_judged(self) -> bool:
        """Whether a model judged it, or rules on a site that has none."""
        return self.by_model or self.reason == OFFLINE
