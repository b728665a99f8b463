"""What was said instead of an answer, if anything, or that it tells nothing.

What is doubtful is read as an answer meanwhile, so that nobody waits for three replies in a row.
"""

from typing import Literal

from interviews.engine.language import reading
from interviews.engine.language.intents import Meaning, meaning
from interviews.engine.language.reading import BRIEF, Said
from interviews.engine.result import CallResults, TaskCall
from interviews.protocols.laddering.context import LadderingContext
from interviews.protocols.laddering.rules.phrases import says_nothing

What = Said | Literal["left_out", "nothing_told"]
TELLS_NOTHING = (Meaning.NOT_KNOWING, Meaning.OFF_TOPIC)


def hear(ctx: LadderingContext, results: CallResults) -> What | None:
    """What was said; None where a model has still to be asked."""
    asked = ctx.state.open.text
    if reading.passed_over(ctx.received, ctx.language, asked):
        return "left_out"
    if _tells_nothing(ctx):
        return "nothing_told"
    return reading.hear(ctx.answer, ctx.language, asked, ctx.state.asides, results)


def inquiry(ctx: LadderingContext) -> TaskCall:
    """What a model is asked about something that may be no answer."""
    return reading.inquiry(ctx.answer, ctx.state.open.text)


def _tells_nothing(ctx: LadderingContext) -> bool:
    """Whether there is nothing to be read in it: who doesn't know, or speaks of something else."""
    if len(ctx.answer) > BRIEF:
        return False
    if says_nothing(ctx.answer, ctx.language):
        return True
    return meaning(ctx.answer, ctx.language, ctx.state.open.text) in TELLS_NOTHING
