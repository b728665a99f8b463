"""What each kind of interview implements."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from interviews.engine.context import M, S, TurnContext
from interviews.engine.result import (
    CallResults,
    NeedsCalls,
    PartialResults,
    TaskCall,
    TurnResult,
    Utterance,
)
from plans.protocols import PlanContent, RewardOptions


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

    def intro(self, ctx: TurnContext[S, M]) -> Utterance | None:
        """What is said before the first question."""

    def step(self, ctx: TurnContext[S, M], readings: CallResults) -> NeedsCalls | TurnResult[S]:
        """The move, or what must be read first. Called again whenever a reading arrives."""

    def prefetch(
        self, ctx: TurnContext[S, M], readings: CallResults, partials: PartialResults
    ) -> tuple[TaskCall, ...]:
        """What can be asked already, by what half-written replies are certain to come to.

        Only to save time: `step` decides by whole readings, and what it doesn't name is dropped.
        """
        return ()

    def preview(
        self, ctx: TurnContext[S, M], readings: CallResults, partials: PartialResults
    ) -> str:
        """As much of the coming utterance as is certain to be said."""

    def exit(self, ctx: TurnContext[S, M], readings: CallResults) -> NeedsCalls | TurnResult[S]:
        """How this protocol ends when the participant ends it."""

    def repeat_question(self, ctx: TurnContext[S, M]) -> Utterance:
        """The question that is open, put again after an interruption."""

    def trace_details(self, ctx: TurnContext[S, M]) -> Mapping[str, Any]:
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
