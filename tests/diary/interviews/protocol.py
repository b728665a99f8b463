"""A diary: one question a day, an answer to each, a goodbye."""

from collections.abc import Mapping
from typing import Any

from plans.protocols.diary.content import DiaryMaterial

from interviews.choices import EntryKind, SessionStatus
from interviews.engine.context import ProtocolState, TurnContext
from interviews.engine.protocol import InterviewProtocol
from interviews.engine.result import CallResults, PartialResults, TurnResult, Utterance
from plans.protocols import PlanContent, RewardOptions


class DiaryState(ProtocolState):
    entries: tuple[str, ...] = ()


DiaryContext = TurnContext[DiaryState, DiaryMaterial]


class Diary(InterviewProtocol[DiaryState, DiaryMaterial]):
    name = "diary"
    state = DiaryState

    def begin(self, plan: PlanContent[Any], language: str) -> DiaryState:
        return DiaryState()

    def intro(self, ctx: DiaryContext) -> Utterance:
        return Utterance(EntryKind.INTRO, f"Hello {ctx.name}. I am an AI interviewer.")

    def step(self, ctx: DiaryContext, results: CallResults) -> TurnResult[DiaryState]:
        entries = ctx.state.entries
        if ctx.received.trigger != "opening":
            entries = (*entries, ctx.answer)
        state = ctx.state.model_copy(update={"entries": entries})
        days = ctx.material.options.days
        if len(entries) == days:
            goodbye = Utterance(EntryKind.OUTRO, "That was the last day. Thank you.")
            return TurnResult(state, (goodbye,), "last_day", SessionStatus.COMPLETED)
        return TurnResult(
            state,
            (_question(ctx, len(entries)),),
            "next_day",
            progress=(len(entries), days, "days"),
        )

    def preview(self, ctx: DiaryContext, results: CallResults, partials: PartialResults) -> str:
        return ""

    def exit(self, ctx: DiaryContext, results: CallResults) -> TurnResult[DiaryState]:
        goodbye = Utterance(EntryKind.OUTRO, "Thank you for your days.")
        return TurnResult(ctx.state, (goodbye,), "stopped", SessionStatus.STOPPED)

    def repeat_question(self, ctx: DiaryContext) -> Utterance:
        return _question(ctx, len(ctx.state.entries))

    def trace_details(self, ctx: DiaryContext) -> Mapping[str, Any]:
        return {"day": len(ctx.state.entries) + 1}

    def reward(self, plan: PlanContent[Any]) -> RewardOptions | None:
        return None


def _question(ctx: DiaryContext, day: int) -> Utterance:
    return Utterance(
        EntryKind.QUESTION,
        f"Day {day + 1}. {ctx.material.options.question}",
        question=f"day-{day + 1}",
    )


PROTOCOL = Diary()
