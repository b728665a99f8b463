"""A question back: one or two honest sentences, then the open question again."""

from interviews.engine import counter_questions, guards
from interviews.engine.counter_questions import KEY
from interviews.engine.result import CallResults, NeedsCalls, TaskCall
from interviews.protocols.laddering.context import LadderingContext, NextMove, concept_of, put, say
from interviews.protocols.laddering.guards import private
from interviews.protocols.laddering.tasks import ASIDE, LadderingCounterQuestionInput


def _inquiry(ctx: LadderingContext) -> TaskCall:
    """What the interviewer is asked."""
    texts = ctx.plan.texts.get(ctx.language)
    data = LadderingCounterQuestionInput(
        persona=ctx.plan.persona,
        language=ctx.language,
        topic=concept_of(ctx).context.topic,
        about=texts.about if texts else "",
        question=ctx.state.open.text,
        said=ctx.answer,
    )
    return TaskCall(KEY, ASIDE, data)


def reply(ctx: LadderingContext, results: CallResults) -> NeedsCalls | NextMove:
    """The move, or what a model must be asked first."""
    if KEY not in results:
        return NeedsCalls((_inquiry(ctx),))
    return counter_questions.reply(
        ctx.state.model_copy(update={"asides": ctx.state.asides + 1}),
        results[KEY],
        lambda text: guards.aside(text, ctx.language, private(ctx)),
        say(ctx.language, "aside"),
        put(ctx.state),
    )
