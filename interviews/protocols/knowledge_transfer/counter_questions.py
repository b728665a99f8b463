"""A question back: one or two honest sentences, then the open question again."""

from interviews.engine import counter_questions, guards
from interviews.engine.counter_questions import KEY
from interviews.engine.result import CallResults, NeedsCalls, TaskCall
from interviews.protocols.knowledge_transfer.context import (
    NextMove,
    TransferContext,
    project_of,
    put_again,
    say,
)
from interviews.protocols.knowledge_transfer.guards import private
from interviews.protocols.knowledge_transfer.tasks import ASIDE, TransferCounterQuestionInput


def _inquiry(ctx: TransferContext) -> TaskCall:
    """What the interviewer is asked."""
    texts = ctx.plan.texts.get(ctx.language)
    data = TransferCounterQuestionInput(
        persona=ctx.plan.persona,
        language=ctx.language,
        project=project_of(ctx),
        about=texts.about if texts else "",
        question=ctx.state.open.asked,
        said=ctx.answer,
    )
    return TaskCall(KEY, ASIDE, data)


def reply(ctx: TransferContext, results: CallResults) -> NeedsCalls | NextMove:
    """The move, or what a model must be asked first."""
    if KEY not in results:
        return NeedsCalls((_inquiry(ctx),))
    return counter_questions.reply(
        ctx.state.model_copy(update={"asides": ctx.state.asides + 1}),
        results[KEY],
        lambda text: guards.aside(text, ctx.language, private(ctx)),
        say(ctx.language, "aside"),
        put_again(ctx.state.open),
    )
