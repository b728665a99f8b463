"""A diary: one question a day, an answer to each, a goodbye.

A day that is skipped or left alone is an empty entry.
"""

from collections.abc import Mapping
from typing import Any

from plans.protocols.diary.content import DiaryMaterial

from interviews.choices import EntryKind, SessionStatus
from interviews.engine.context import ProtocolState, TurnContext
from interviews.engine.protocol import InterviewProtocol
from interviews.engine.reading import READING, ReadingInput
from interviews.engine.result import (
    CallResults,
    NeedsCalls,
    PartialResults,
    TaskCall,
    TurnResult,
    Utterance,
)
from plans.protocols import PlanContent, RewardOptions

READ = "listen"  # key of the call that reads an entry


class DiaryState(ProtocolState):
    entries: tuple[str, ...] = ()
    straying: int = 0  # turns used by answers off topic


DiaryContext = TurnContext[DiaryState, DiaryMaterial]


class Diary(InterviewProtocol[DiaryState, DiaryMaterial]):
    name = "diary"
    state = DiaryState
    reading_key = READ

    def begin(self, plan: PlanContent[Any], language: str) -> DiaryState:
        return DiaryState()

    def intro(self, ctx: DiaryContext) -> Utterance:
        return Utterance(EntryKind.INTRO, f"Hello {ctx.name}. I am an AI interviewer.")

    def reading_call(self, ctx: DiaryContext) -> TaskCall:
        asked = ctx.state.reworded or self.repeat_question(ctx).text
        data = ReadingInput(language=ctx.language, question=asked, answer=ctx.answer)
        return TaskCall(READ, READING, data)

    def step(self, ctx: DiaryContext, results: CallResults) -> NeedsCalls | TurnResult[DiaryState]:
        entries = ctx.state.entries
        if ctx.received.trigger != "opening":
            entries = (*entries, ctx.answer if ctx.reading.intent == "answer" else "")
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

    def progress(self, ctx: DiaryContext, state: DiaryState) -> tuple[int, int, str]:
        return len(state.entries) + 1, ctx.material.options.days, "days"

    def count_turn(self, ctx: DiaryContext) -> DiaryState:
        return ctx.state.model_copy(update={"straying": ctx.state.straying + 1})

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
