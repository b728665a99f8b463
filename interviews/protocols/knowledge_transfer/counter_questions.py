"""Short answers to the participant's own questions, before the open question is repeated."""

from interviews.engine import counter_questions, guards
from interviews.engine.counter_questions import KEY
from interviews.engine.result import CallResults, NeedsCalls, TaskCall
from interviews.protocols.knowledge_transfer.context import (
    NextMove,
    TransferContext,
    project_name,
    question_alone,
    say,
)
from interviews.protocols.knowledge_transfer.guards import private_texts
from interviews.protocols.knowledge_transfer.tasks import ASIDE, TransferCounterQuestionInput


def reply(ctx: TransferContext, results: CallResults) -> NeedsCalls | NextMove:
    if KEY not in results:
        return NeedsCalls((_task_call(ctx),))
    return counter_questions.reply(
        ctx.state.model_copy(update={"asides": ctx.state.asides + 1}),
        results[KEY],
        lambda text: guards.aside(text, ctx.language, private_texts(ctx)),
        say(ctx.language, "aside"),
        question_alone(ctx.state.open),
    )


def _task_call(ctx: TransferContext) -> TaskCall:
    texts = ctx.plan.texts.get(ctx.language)
    data = TransferCounterQuestionInput(
        persona=ctx.plan.persona,
        language=ctx.language,
        project=project_name(ctx),
        about=texts.about if texts else "",
        question=ctx.state.open.asked,
        said=ctx.answer,
    )
    return TaskCall(KEY, ASIDE, data)
