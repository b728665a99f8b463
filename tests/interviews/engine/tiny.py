"""The smallest protocol: numbered questions without end, and one thing asked before a goodbye."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from interviews.choices import EntryKind, SessionStatus
from interviews.engine.common_rules import decide, rules_reading
from interviews.engine.context import ProtocolState, Received, TurnContext
from interviews.engine.protocol import InterviewProtocol
from interviews.engine.reading import READING, Heard, ReadingInput
from interviews.engine.replies import ANSWER, REWORD
from interviews.engine.result import TaskCall, TurnResult, Utterance
from llm.tasks.outcome import Outcome, Source
from plans.protocols import PlanContent, Texts
from plans.protocols.plan_content import Frozen
from tests.readings import heard

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)
READ = "listen"
QUESTIONS = {
    "en": "What was question {} about?",
    "it": "Di che cosa parlava la domanda {}?",
    "ru": "О чём был вопрос {}?",
}
ABOUT = {
    "en": "This is about bees. Only Anna reads it. And more.",
    "it": "Si parla di api. Legge soltanto Anna. E altro.",
    "ru": "Речь о пчёлах. Читает только Анна. И ещё.",
}
PLAN: PlanContent[Any] = PlanContent(
    protocol="tiny",
    bot="tiny",
    title="Tiny",
    persona="A calm person who keeps the canary word zephyrine to itself at all times.",
    languages=tuple(QUESTIONS),
    minutes=20,
    texts={one: Texts(about=about) for one, about in ABOUT.items()},
    material=Frozen(),
)


class TinyState(ProtocolState):
    number: int = 1
    used: int = 0  # turns used on the open question
    bade: bool = False  # asked for contact data before the goodbye


class Tiny(InterviewProtocol[TinyState, None]):
    name = "tiny"
    state = TinyState
    reading_key = READ
    timely = True

    def reading_call(self, ctx):
        asked = ctx.state.reworded or self.repeat_question(ctx).text
        data = ReadingInput(language=ctx.language, question=asked, answer=ctx.answer)
        return TaskCall(READ, READING, data)

    def step(self, ctx, results):
        state = ctx.state.model_copy(update={"number": ctx.state.number + 1, "used": 0})
        question = self.repeat_question(replace(ctx, state=state))
        return TurnResult(state, (question,), f"next after {ctx.reading.intent}")

    def preview(self, ctx, results, partials):
        return str(partials.get(READ, {}).get("next") or "")

    def exit(self, ctx, results):
        if ctx.state.bade:
            goodbye = Utterance(EntryKind.OUTRO, "Goodbye.")
            return TurnResult(ctx.state, (goodbye,), "ended", SessionStatus.STOPPED)
        state = ctx.state.model_copy(update={"bade": True})
        asked = Utterance(EntryKind.QUESTION, "May we have your address?")
        return TurnResult(state, (asked,), "asks_for_contact_data")

    def repeat_question(self, ctx):
        number = ctx.state.number
        text = QUESTIONS[ctx.language].format(number)
        return Utterance(EntryKind.QUESTION, text, f"q{number}", number)

    def progress(self, ctx, state):
        return state.number, 7, "questions"

    def count_turn(self, ctx):
        return ctx.state.model_copy(update={"used": ctx.state.used + 1})

    def has_time(self, ctx):
        return self.timely

    def trace_details(self, ctx):
        return {"number": ctx.state.number}


TINY = Tiny()


def turn(answer: str = "Words.", language: str = "en", trigger: Any = "user_answer", **changes):
    """A turn whose second question is open."""
    state = TinyState(number=2).model_copy(update=changes.pop("state", {}))
    ctx = TurnContext(
        plan=PLAN,
        material=PLAN.material,
        state=state,
        received=Received(trigger, answer, NOON, position=5),
        language=language,
        turn=4,
    )
    return replace(ctx, **changes)


def by_model(value: Any) -> Outcome[Any]:
    return Outcome(value, Source.MODEL)


def read_as(intent: str, care: str = "none", subject: str = "", **calls: str):
    """What a model makes of the answer, and what it says in the other calls."""
    reading = Heard(**heard(intent, care, subject))
    offline = Outcome("", Source.FALLBACK, "offline")
    said = {key: by_model(calls[key]) if key in calls else offline for key in (ANSWER, REWORD)}
    return {READ: by_model(reading), **said}


def settled(ctx, results, protocol: Tiny = TINY) -> TurnResult[TinyState]:
    step = decide(protocol, ctx, results, rules_reading(protocol, ctx))
    assert isinstance(step, TurnResult), step
    return step
