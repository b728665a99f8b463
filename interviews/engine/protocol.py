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
    topic: str  # key
    label: str
    turns: int
    bonus_turns: int
    deepening_turns: int
    sub_goals: int
    covered: int  # sub-goals covered
    coverage: str  # none, partial, full
    engagement: float  # mean signal score of its answers, 0 to 1
    key_insight: str


@dataclass(frozen=True, slots=True)
class StartField:
    """A field on the start page. A link parameter of the same name answers it."""

    key: str
    label: str  # in the interview's language
    long: bool = False  # more than one line


class InterviewProtocol(Protocol[S, M]):
    """How one kind of interview is led. All of it is pure."""

    name: str
    state: type[S]
    most_calls: int | None = None  # model calls in one turn, retries included; None: no limit

    def begin(self, plan: PlanContent[Any], language: str) -> S: ...

    def intro(self, ctx: TurnContext[S, M]) -> Utterance | None: ...

    def step(self, ctx: TurnContext[S, M], results: CallResults) -> NeedsCalls | TurnResult[S]:
        """Return the turn's result, or the model calls needed first.

        Called again whenever a call has returned.
        """

    def prefetch(
        self, ctx: TurnContext[S, M], results: CallResults, partials: PartialResults
    ) -> tuple[TaskCall, ...]:
        """Return calls that half-written replies show will be needed.

        It only saves time: `step` decides on complete results, and calls that it doesn't name are
        cancelled.
        """
        return ()

    def preview(
        self, ctx: TurnContext[S, M], results: CallResults, partials: PartialResults
    ) -> str:
        """Return as much of the coming utterance as is certain to be said."""

    def exit(self, ctx: TurnContext[S, M], results: CallResults) -> NeedsCalls | TurnResult[S]: ...

    def repeat_question(self, ctx: TurnContext[S, M]) -> Utterance: ...

    def trace_details(self, ctx: TurnContext[S, M]) -> Mapping[str, Any]:
        return {}

    def reward(self, plan: PlanContent[Any]) -> RewardOptions | None:
        options: RewardOptions = plan.material.options.reward
        return options

    def covered(self, plan: PlanContent[Any], state: S) -> tuple[TopicCoverage, ...]:
        return ()

    def asks_at_start(self, plan: PlanContent[Any], language: str) -> tuple[StartField, ...]:
        return ()


AnyProtocol = InterviewProtocol[Any, Any]
