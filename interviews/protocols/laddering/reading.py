from typing import Literal

from interviews.engine.language import reading
from interviews.engine.language.intents import Meaning, meaning
from interviews.engine.language.reading import BRIEF, Said
from interviews.engine.result import CallResults, TaskCall
from interviews.protocols.laddering.context import LadderingContext
from interviews.protocols.laddering.rules.phrases import says_nothing

SAYS_NOTHING = (Meaning.NOT_KNOWING, Meaning.OFF_TOPIC)


def hear(
    ctx: LadderingContext, results: CallResults
) -> Said | Literal["left_out", "nothing_told"] | None:
    asked = ctx.state.open.text
    if reading.passed_over(ctx.received, ctx.language, asked):
        return "left_out"
    if len(ctx.answer) <= BRIEF and (
        says_nothing(ctx.answer, ctx.language)
        or meaning(ctx.answer, ctx.language, asked) in SAYS_NOTHING
    ):
        return "nothing_told"
    return reading.hear(ctx.answer, ctx.language, asked, ctx.state.asides, results)


def intent_call(ctx: LadderingContext) -> TaskCall:
    return reading.inquiry(ctx.answer, ctx.state.open.text)
