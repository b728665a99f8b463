"""What a protocol returns for a turn: calls to make first, or what is said and stored."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Generic

from pydantic import BaseModel

from interviews.choices import EntryKind, SessionStatus
from interviews.engine.context import S
from llm.tasks.outcome import Outcome
from llm.tasks.task import Task


@dataclass(frozen=True, slots=True)
class TaskCall:
    """One question to a model within a turn, known by its key."""

    key: str
    task: Task[Any, Any]
    data: BaseModel


CallResults = Mapping[str, Outcome[Any]]


PartialResults = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class NeedsCalls:
    """These readings are wanted before the move is settled; asked side by side.

    One that is under way and no longer named is dropped.
    """

    inquiries: tuple[TaskCall, ...]


@dataclass(frozen=True, slots=True)
class Utterance:
    """One entry of the interviewer's reply."""

    kind: EntryKind
    text: str
    question: str = ""
    number: int | None = None


@dataclass(frozen=True, slots=True)
class GuardFiring:
    """A guard that replaced something a model said."""

    guard: str
    reason: str
    before: str


@dataclass(frozen=True, slots=True)
class NewNote:
    """A note with the position of the entry that it comes from."""

    text: str
    position: int


@dataclass(frozen=True, slots=True)
class TurnResult(Generic[S]):
    """What the interviewer does: the end of deciding, speaking and guarding."""

    state: S
    utterances: tuple[Utterance, ...]
    reason: str
    status: SessionStatus = SessionStatus.WAITING_ANSWER
    progress: tuple[int, int | None, str] | None = None  # current, total, unit
    remaining: int | None = None  # questions still to come, where that is known; with progress
    notes: Mapping[str, NewNote] | None = None  # all that is known now; None: unchanged
    records: tuple[Any, ...] = ()  # new or changed, which the protocol's `rows` stores
    spoken_by: tuple[str, ...] = ()  # keys of the readings whose words were used
    firings: tuple[GuardFiring, ...] = ()
    flagged: bool = False  # signs of distress
    details: Mapping[str, Any] = field(default_factory=dict)  # for the trace
    # for a confidential answer: what the transcript shows of it (None: it held no secret), values
    # to be kept sealed by their field's key, and what rules read in it, as JSON without any value
    masked: str | None = None
    heard_as: EntryKind | None = (
        None  # what the participant's entry turned out to be; None: an answer
    )
    collected: Mapping[str, str] = field(default_factory=dict, repr=False)
    read_by_rules: Mapping[str, Any] = field(default_factory=dict)
