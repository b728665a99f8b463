"""The words in which the engine and the protocols speak to each other."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Generic, Literal, Protocol, Self, TypeVar

from pydantic import BaseModel, ConfigDict

from interviews.words import Kind, Role, Status
from llm.outcome import Outcome
from llm.task import Task
from plans.content import PlanContent, RewardOptions

Trigger = Literal["opening", "user_answer", "skip", "stop"]


class State(BaseModel):
    """Where an interview stands; each protocol adds its own fields. Stored with the session."""

    model_config = ConfigDict(frozen=True)

    asked_at: datetime | None = None  # when the interviewer last spoke
    awaiting: Literal["", "stop", "care"] = ""  # a common rule waits for a yes or no
    sealed: bool = False  # the next answer is confidential: its words are never stored in clear

    def shown(self, at: datetime) -> Self:
        """The state once the utterance stands in the transcript, at that time."""
        return self.model_copy(update={"asked_at": at})


S = TypeVar("S", bound=State)
M = TypeVar("M")


@dataclass(frozen=True, slots=True)
class Line:
    """One earlier utterance, as the engine reads it."""

    role: Role
    kind: Kind
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
class Now(Generic[S, M]):
    """All that a decision may depend on, besides what is read in the turn itself."""

    plan: PlanContent[Any]
    material: M
    state: S
    received: Received
    language: str
    name: str = ""  # the participant's
    turn: int = 0
    transcript: tuple[Line, ...] = ()  # recent ones, oldest first, without this answer
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
class Inquiry:
    """One question to a model within a turn, known by its key.

    `earlier` are questions that its result's `utterance` should not ask again in other words.
    """

    key: str
    task: Task[Any, Any]
    data: BaseModel
    earlier: tuple[str, ...] = ()


Readings = Mapping[str, Outcome[Any]]
Partials = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Need:
    """These readings are wanted before the move is settled; asked side by side.

    One that is under way and no longer named is dropped.
    """

    inquiries: tuple[Inquiry, ...]


@dataclass(frozen=True, slots=True)
class Utterance:
    """One entry of the interviewer's reply."""

    kind: Kind
    text: str
    question: str = ""
    number: int | None = None


@dataclass(frozen=True, slots=True)
class Firing:
    """A guard that replaced something a model said."""

    guard: str
    reason: str
    before: str


@dataclass(frozen=True, slots=True)
class Learned:
    """A note with the position of the entry that it comes from."""

    text: str
    position: int


@dataclass(frozen=True, slots=True)
class BacklogItem:
    """One question of a knowledge transfer's backlog, as it stands."""

    id: str  # followup-… and discovered-… for those that came up in the interview
    text: str
    priority: str  # P0, P1, P2
    origin: str  # ANALYSIS, ADMIN, FOLLOW_UP, DISCOVERED
    parent: str = ""  # id of the question whose answer it came from
    status: str = "OPEN"  # OPEN, ANSWERED_BY_INTERVIEW, SKIPPED
    round: int = 0  # in which it was asked; 0: not yet
    asked: str = ""  # as it was put, in the conversation
    answer: str = ""  # the participant's words
    position: int = 0  # of the answer in the transcript
    confidence: float | None = None  # 0.3, 0.6, 0.9 once it is answered


@dataclass(frozen=True, slots=True)
class FoundFact:
    """Something that an answer brought to light; understood without its question."""

    text: str
    position: int  # of the answer in the transcript
    question: str  # id of the question that it answers
    confidence: float  # of the answer: 0.3, 0.6, 0.9
    source: str  # model, fallback model, fallback, rules


@dataclass(frozen=True, slots=True)
class GraphNode:
    """Something that was said, as a node of the interview's graph."""

    id: str  # n1, n2 … within the interview
    text: str
    type: str
    positions: tuple[int, ...]  # of the answers in the transcript
    created: int  # turn
    elements: tuple[str, ...] = ()  # ids of the concept's elements that it speaks of


@dataclass(frozen=True, slots=True)
class GraphEdge:
    """That one node is tied to another."""

    source: str  # a node's id
    target: str
    relation: str
    positions: tuple[int, ...]  # of the answers in the transcript


@dataclass(frozen=True, slots=True)
class Move(Generic[S]):
    """What the interviewer does: the end of deciding, speaking and guarding."""

    state: S
    utterances: tuple[Utterance, ...]
    reason: str
    status: Status = Status.WAITING_ANSWER
    progress: tuple[int, int | None, str] | None = None  # current, total, unit
    remaining: int | None = None  # questions still to come, where that is known; with progress
    notes: Mapping[str, Learned] | None = None  # all that is known now; None: unchanged
    facts: tuple[FoundFact, ...] = ()  # new ones, of this turn's answer
    nodes: tuple[GraphNode, ...] = ()  # that are new or have changed
    edges: tuple[GraphEdge, ...] = ()  # that are new or have changed
    spoken_by: tuple[str, ...] = ()  # keys of the readings whose words were used
    firings: tuple[Firing, ...] = ()
    flagged: bool = False  # signs of distress
    details: Mapping[str, Any] = field(default_factory=dict)  # for the trace
    # for a confidential answer: what the transcript shows of it (None: it held no secret), values
    # to be kept sealed by their field's key, and what rules read in it, as JSON without any value
    masked: str | None = None
    heard_as: Kind | None = None  # what the participant's entry turned out to be; None: an answer
    collected: Mapping[str, str] = field(default_factory=dict, repr=False)
    read_by_rules: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TopicCovered:
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


@dataclass(frozen=True, slots=True)
class Observed:
    """What was judged of one answer. For reviewers and researchers, never for participants."""

    position: int  # of the answer in the transcript
    turn: int
    question: str  # as it was asked
    topic: str  # its key
    level: int  # how hard the question was, 1 to 5
    scored: bool  # False: a question back, a wish to stop
    action: str  # increase, same, decrease: how hard the next one is to be
    correctness: float  # 0 to 1
    confidence: float  # 0 to 1
    status: str  # confirmed, gap, hallucination_suspect
    notes: str
    correct_answer: str
    flags: Mapping[str, str]  # hallucination, off_topic, stop_intent, role_reversal -> why
    verbosity: str  # short, medium, long
    examples: bool  # whether the answer uses any
    thoughts: Mapping[str, str]  # observer's and interviewer's
    source: str  # model, fallback model, fallback, rules


class Interviewing(Protocol[S, M]):
    """A protocol: how an interview is led. All of it is pure."""

    name: str
    state: type[S]
    # what is made of an interview afterwards
    products: tuple[str, ...] = ("summary", "facts", "coverage")
    narrated: bool = True  # whether a model retells the interview in the participant's summary
    most_calls: int | None = None  # of models in one turn, retries included; None: unlimited

    def begin(self, plan: PlanContent[Any], language: str) -> S:
        """The state of an interview that has not begun."""

    def intro(self, now: Now[S, M]) -> Utterance | None:
        """What is said before the first question."""

    def step(self, now: Now[S, M], readings: Readings) -> Need | Move[S]:
        """The move, or what must be read first. Called again whenever a reading arrives."""

    def ahead(self, now: Now[S, M], readings: Readings, partials: Partials) -> tuple[Inquiry, ...]:
        """What can be asked already, by what half-written replies are certain to come to.

        Only to save time: `step` decides by whole readings, and what it doesn't name is dropped.
        """
        return ()

    def draft(self, now: Now[S, M], readings: Readings, partials: Partials) -> str:
        """As much of the coming utterance as is certain to be said."""

    def exit(self, now: Now[S, M], readings: Readings) -> Need | Move[S]:
        """How this protocol ends when the participant ends it."""

    def again(self, now: Now[S, M]) -> Utterance:
        """The question that is open, put again after an interruption."""

    def standing(self, now: Now[S, M]) -> Mapping[str, Any]:
        """Where the interview stands, for the trace of a turn that the common rules lead."""
        return {}

    def reward(self, plan: PlanContent[Any]) -> RewardOptions | None:
        """What participants get at the end; None where nothing is given."""
        options: RewardOptions = plan.material.options.reward
        return options

    def covered(self, plan: PlanContent[Any], state: S) -> tuple[TopicCovered, ...]:
        """How far each topic was talked about; nothing where there are none."""
        return ()

    def observed(self, state: S) -> tuple[Observed, ...]:
        """What was judged of the answers; nothing where none are."""
        return ()

    def backlog(self, state: S) -> tuple[BacklogItem, ...]:
        """The questions with what became of them; nothing where there is no backlog."""
        return ()

    def asks_at_start(self, plan: PlanContent[Any], language: str) -> tuple[StartField, ...]:
        """What is asked on the page on which the interview is begun."""
        return ()
