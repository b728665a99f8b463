"""What was said instead of an answer, if anything, to the open question as it was put."""

from interviews.engine.language import reading
from interviews.engine.language.reading import Said
from interviews.engine.result import CallResults, TaskCall
from interviews.protocols.knowledge_transfer.context import TransferContext


def passed_over(ctx: TransferContext) -> bool:
    """Whether the question is left out, by the button or in clear words."""
    return reading.passed_over(ctx.received, ctx.language, ctx.state.open.asked)


def hear(ctx: TransferContext, results: CallResults) -> Said | None:
    """What was said; None where a model has still to be asked."""
    asked, asides = ctx.state.open.asked, ctx.state.asides
    return reading.hear(ctx.answer, ctx.language, asked, asides, results)


def inquiry(ctx: TransferContext) -> TaskCall:
    """What a model is asked about something that may be no answer."""
    return reading.inquiry(ctx.answer, ctx.state.open.asked)
