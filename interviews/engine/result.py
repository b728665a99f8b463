from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Generic

from pydantic import BaseModel

from interviews.choices import EntryKind, SessionStatus
from interviews.engine.context import AnyContext, S
from interviews.engine.strikes import Strike
from llm.tasks.outcome import Outcome
from llm.tasks.task import Task


@dataclass(frozen=True, slots=True)
class TaskCall:
    """One task for a model within a turn; keys are unique in the turn."""

    key: str
    task: Task[Any, Any]
    data: BaseModel


CallResults = Mapping[str, Outcome[Any]]
PartialResults = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class NeedsCalls:
    """Model calls to make, side by side, before the turn can be decided.

    A running call that is no longer named is cancelled.
    """

    inquiries: tuple[TaskCall, ...]


@dataclass(frozen=True, slots=True)
class Utterance:
    kind: EntryKind
    text: str
    question: str = ""
    number: int | None = None


LAST = "closing question"  # its key; with a space, which no key of a plan has


def closing_question(text: str) -> Utterance:
    return Utterance(EntryKind.LAST_QUESTION, text, LAST)


def after_last(ctx: AnyContext) -> str:
    """Return the reason of the turn that ends the interview after the closing question."""
    return "last_answered" if ctx.reading.told else "skipped_last"


@dataclass(frozen=True, slots=True)
class GuardFiring:
    guard: str
    reason: str
    before: str


@dataclass(frozen=True, slots=True)
class WordedText:
    """What is said, and whose words it is in."""

    text: str
    used: tuple[str, ...] = ()  # keys of the calls whose words these are
    firings: tuple[GuardFiring, ...] = ()


@dataclass(frozen=True, slots=True)
class NewNote:
    text: str
    position: int


@dataclass(frozen=True, slots=True)
class TurnResult(Generic[S]):
    """What the interviewer says, and what is stored with it."""

    state: S
    utterances: tuple[Utterance, ...]
    reason: str
    status: SessionStatus = SessionStatus.WAITING_ANSWER
    ended_as: SessionStatus | None = None  # of an interview that only goes on for contact data
    progress: tuple[int, int | None, str] | None = None  # the protocol's; None: unchanged
    remaining: int | None = None  # questions still to come, if known; only with progress
    notes: Mapping[str, NewNote] | None = None  # all notes; None: unchanged
    records: tuple[Any, ...] = ()  # new or changed ones, stored by the protocol's `rows` module
    spoken_by: tuple[str, ...] = ()  # keys of the calls whose words were used
    firings: tuple[GuardFiring, ...] = ()
    flagged: bool = False  # signs of distress
    details: Mapping[str, Any] = field(default_factory=dict)  # for the trace
    heard_as: EntryKind | None = None  # new kind of the participant's entry; None: unchanged
    # for a confidential answer: what the transcript shows (None: it held no secret), values to
    # seal by their field's key, and what rules read in it, as JSON without any of the values
    masked: str | None = None
    collected: Mapping[str, str] = field(default_factory=dict, repr=False)
    read_by_rules: Mapping[str, Any] = field(default_factory=dict)
    strike: Strike | None = field(
        default=None, repr=False
    )  # what the participant doesn't want kept


def ending(
    state: S,
    text: str,
    reason: str,
    status: SessionStatus,
    before: tuple[Utterance, ...] = (),
    **more: Any,
) -> TurnResult[S]:
    """Return the result of a turn that ends the interview with this text; `more` are its fields."""
    said = (*before, Utterance(EntryKind.OUTRO, text))
    return TurnResult(state=state, utterances=said, reason=reason, status=status, **more)


AnyResult = TurnResult[Any]
AnyStep = NeedsCalls | AnyResult
