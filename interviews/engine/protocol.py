from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from interviews.engine.context import M, S, TurnContext
from interviews.engine.guards import prompts_of
from interviews.engine.result import (
    CallResults,
    NeedsCalls,
    PartialResults,
    TaskCall,
    TurnResult,
    Utterance,
)
from interviews.engine.strikes import Strike
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
    """How one kind of interview is led. All of it is pure.

    The common rules come first: they answer questions, put the open one in other words, and meet
    wishes and distress. A protocol is asked to go on where `ctx.reading` says `answer`,
    `dont_know`, `skip`, `refuse` or, after several in a row, `off_topic`.
    """

    name: str
    state: type[S]
    reading_key: str  # of the call that reads the answer
    most_calls: int | None = None  # model calls in one turn, retries included; None: no limit
    guesses: bool = False  # an answer may be put as a question
    leads: bool = False  # by moves: the call that reads an answer words all that follows
    reply_rules: str = ""  # what an answer to a question back must not say, for its prompt

    def begin(self, plan: PlanContent[Any], language: str) -> S: ...

    def intro(self, ctx: TurnContext[S, M]) -> Utterance | None: ...

    def reading_call(self, ctx: TurnContext[S, M]) -> TaskCall:
        """Return the call that reads the answer.

        Its result begins with what it hears (`Heard`).
        """

    def step(self, ctx: TurnContext[S, M], results: CallResults) -> NeedsCalls | TurnResult[S]:
        """Return the turn's result, or the model calls needed first.

        Called again whenever a call has returned. `ctx.reading` is an `answer` until it is read.
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

    def question_purpose(self, ctx: TurnContext[S, M]) -> str:
        """Return what the open question is meant to find out, for rewording it."""
        return ""

    def private_texts(self, ctx: TurnContext[S, M]) -> tuple[str, ...]:
        """Return what the interviewer alone knows and never says."""
        return (ctx.plan.persona, *prompts_of())

    def refuses_reply(self, ctx: TurnContext[S, M], text: str) -> str:
        """Return why an answer to a question back, or a rewording, may not be said; else empty."""
        return ""

    def progress(self, ctx: TurnContext[S, M], state: S) -> tuple[int, int | None, str]:
        """Return the current number, the total (None: unknown) and the unit."""

    def is_offer(self, state: S) -> bool:
        """Return whether the open question can be declined by "stop", which isn't confirmed then.

        It is the closing question, or offers to go on.
        """
        return state.last_asked

    def count_turn(self, ctx: TurnContext[S, M]) -> S:
        """Return the state with a turn used on the open question, for an answer off topic."""
        return ctx.state

    def keep_unanswered(self, ctx: TurnContext[S, M], results: CallResults) -> S:
        """Return the state with what is kept of words that leave the question open.

        They are a question back, a request to reword, a wish to stop or to pause, or off topic.
        """
        return ctx.state

    def forget(self, state: S, strike: Strike) -> S:
        """Return the state without what was drawn from words that aren't kept.

        Its other texts are masked after that.
        """
        return state

    def new_records(self, before: S, after: S) -> tuple[Any, ...]:
        """Return what the second state adds to the records that the `rows` module stores."""
        return ()

    def seconds_left(self, ctx: TurnContext[S, M]) -> float | None:
        """Return what is left by the interview's clock; None if it has none."""
        return None

    def comes_back(self, state: S) -> bool:
        """Return whether all topics were begun, and the open question is about an earlier one."""
        return False

    def has_time(self, ctx: TurnContext[S, M]) -> bool:
        return True

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
