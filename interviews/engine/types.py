"""The words in which the engine and the protocols speak to each other."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Generic, Literal, Protocol, Self, TypeVar

from pydantic import BaseModel, ConfigDict

from interviews.choices import EntryKind, SessionStatus, SpeakerRole
from llm.tasks.outcome import Outcome
from llm.tasks.task import Task
from plans.protocols import PlanContent, RewardOptions

Trigger = Literal["opening", "user_answer", "skip", "stop"]


class ProtocolState(BaseModel):
    """Where an interview stands; each protocol adds its own fields. Stored with the session."""

    model_config = ConfigDict(frozen=True)

    asked_at: datetime | None = None  # when the interviewer last spoke
    awaiting: Literal["", "stop", "care"] = ""  # a common rule waits for a yes or no
    sealed: bool = False  # the next answer is confidential: its words are never stored in clear

    def shown(self, at: datetime) -> Self:
        """The state once the utterance stands in the transcript, at that time."""
        return self.model_copy(update={"asked_at": at})


S = TypeVar("S", bound=ProtocolState)
M = TypeVar("M")


@dataclass(frozen=True, slots=True)
class TranscriptLine:
    """One earlier utterance, as the engine reads it."""

    role: SpeakerRole
    kind: EntryKind
    text: str
    question: str = ""


@dataclass(frozen=True, slots=True)
class Received:
    """What the participant did, and when (server time)."""

    trigger: Trigger
    text: str
    at: datetime
    away_seconds: float = 0.0  # paused since the interviewer last spoke
    position: int = 0  # of the entry in the transcript; 0 without one


@dataclass(frozen=True, slots=True)
class TurnContext(Generic[S, M]):
    """All that a decision may depend on, besides what is read in the turn itself."""

    plan: PlanContent[Any]
    material: M
    state: S
    received: Received
    language: str
    name: str = ""  # the participant's
    turn: int = 0
    transcript: tuple[TranscriptLine, ...] = ()  # recent ones, oldest first, without this answer
    bot_gone: bool = False  # the bot was deleted meanwhile
    # what was told on the page on which the interview was begun: a start field's key -> words
    given: Mapping[str, str] = field(default_factory=dict)
    # what rules read in this turn when it was made, on replay; empty in a turn that is being made
    remembered: Mapping[str, Any] = field(default_factory=dict)

    @property
    def answer(self) -> str:
        """What the participant said; empty when a button was pressed."""
        return self.received.text


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


@dataclass(frozen=True, slots=True)
class TopicCoverage:
    """How far one topic of an interview was talked about."""

    topic: str  # its key
    label: str
    turns: int
    bonus_turns: int
    deepening_turns: int
    sub_goals: int
    covered: int  # sub-goals that were
    coverage: str  # none, partial, full
    engagement: float  # mean signal score of its answers, 0 to 1
    key_insight: str


@dataclass(frozen=True, slots=True)
class StartField:
    """Something that is asked before the interview, on the page where it is begun.

    A link that carries a value under this key answers it.
    """

    key: str
    label: str  # in the interview's language
    long: bool = False  # several lines


class InterviewProtocol(Protocol[S, M]):
    """A protocol: how an interview is led. All of it is pure."""

    name: str
    state: type[S]
    most_calls: int | None = None  # of models in one turn, retries included; None: unlimited

    def begin(self, plan: PlanContent[Any], language: str) -> S:
        """The state of an interview that has not begun."""

    def intro(self, now: TurnContext[S, M]) -> Utterance | None:
        """What is said before the first question."""

    def step(self, now: TurnContext[S, M], readings: CallResults) -> NeedsCalls | TurnResult[S]:
        """The move, or what must be read first. Called again whenever a reading arrives."""

    def prefetch(
        self, now: TurnContext[S, M], readings: CallResults, partials: PartialResults
    ) -> tuple[TaskCall, ...]:
        """What can be asked already, by what half-written replies are certain to come to.

        Only to save time: `step` decides by whole readings, and what it doesn't name is dropped.
        """
        return ()

    def preview(
        self, now: TurnContext[S, M], readings: CallResults, partials: PartialResults
    ) -> str:
        """As much of the coming utterance as is certain to be said."""

    def exit(self, now: TurnContext[S, M], readings: CallResults) -> NeedsCalls | TurnResult[S]:
        """How this protocol ends when the participant ends it."""

    def repeat_question(self, now: TurnContext[S, M]) -> Utterance:
        """The question that is open, put again after an interruption."""

    def trace_details(self, now: TurnContext[S, M]) -> Mapping[str, Any]:
        """Where the interview stands, for the trace of a turn that the common rules lead."""
        return {}

    def reward(self, plan: PlanContent[Any]) -> RewardOptions | None:
        """What participants get at the end; None where nothing is given."""
        options: RewardOptions = plan.material.options.reward
        return options

    def covered(self, plan: PlanContent[Any], state: S) -> tuple[TopicCoverage, ...]:
        """How far each topic was talked about; nothing where there are none."""
        return ()

    def asks_at_start(self, plan: PlanContent[Any], language: str) -> tuple[StartField, ...]:
        """What is asked on the page on which the interview is begun."""
        return ()
