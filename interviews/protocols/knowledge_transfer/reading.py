"""What was said to the open question, if not an answer."""

from interviews.engine.language import reading
from interviews.engine.language.reading import Said
from interviews.engine.result import CallResults, TaskCall
from interviews.protocols.knowledge_transfer.context import TransferContext


def is_skip(ctx: TransferContext) -> bool:
    return reading.passed_over(ctx.received, ctx.language, ctx.state.open.asked)


def intent(ctx: TransferContext, results: CallResults) -> Said | None:
    """Return what was said, or None while a model has still to be asked."""
    asked, asides = ctx.state.open.asked, ctx.state.asides
    return reading.hear(ctx.answer, ctx.language, asked, asides, results)


def intent_call(ctx: TransferContext) -> TaskCall:
    return reading.inquiry(ctx.answer, ctx.state.open.asked)
