"""What came of asking: a value always, and where it comes from."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, TypeVar

Out = TypeVar("Out")


class Source(StrEnum):
    """Who made the value."""

    MODEL = "model"
    FALLBACK_MODEL = "fallback_model"
    FALLBACK = "fallback"


@dataclass(frozen=True, slots=True)
class Outcome(Generic[Out]):
    """A task's result; `reason` says why the first model did not make it (empty if it did).

    `echoes` is an earlier question that its words ask again: interviews of former versions have it
    stored, nothing sets it any more.
    """

    value: Out
    source: Source
    reason: str = ""
    echoes: str = ""
