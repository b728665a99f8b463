from interviews.engine import counter_questions, guards
from interviews.engine.counter_questions import KEY
from interviews.engine.result import CallResults, NeedsCalls, TaskCall
from interviews.protocols.laddering.context import (
    LadderingContext,
    NextMove,
    concept_of,
    question_utterance,
    say,
)
from interviews.protocols.laddering.guards import private
from interviews.protocols.laddering.tasks import ASIDE, LadderingCounterQuestionInput


def reply(ctx: LadderingContext, results: CallResults) -> NeedsCalls | NextMove:
    """Answer a participant's question in one or two sentences, then ask the open one again."""
    if KEY in results:
        return counter_questions.reply(
            ctx.state.model_copy(update={"asides": ctx.state.asides + 1}),
            results[KEY],
            lambda text: guards.aside(text, ctx.language, private(ctx)),
            say(ctx.language, "aside"),
            question_utterance(ctx.state),
        )
    texts = ctx.plan.texts.get(ctx.language)
    data = LadderingCounterQuestionInput(
        persona=ctx.plan.persona,
        language=ctx.language,
        topic=concept_of(ctx).context.topic,
        about=texts.about if texts else "",
        question=ctx.state.open.text,
        said=ctx.answer,
    )
    return NeedsCalls((TaskCall(KEY, ASIDE, data),))
