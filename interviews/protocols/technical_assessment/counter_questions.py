"""A question back: one or two sentences for the candidate, and never what a good answer holds."""

from interviews.engine import counter_questions
from interviews.engine.result import CallResults, TaskCall
from interviews.protocols.technical_assessment import guards
from interviews.protocols.technical_assessment.context import (
    AssessmentContext,
    NextMove,
    expected_of,
    position_in,
    put,
    say,
)
from interviews.protocols.technical_assessment.interviewer import (
    ASIDE,
    AssessmentCounterQuestionInput,
)
from interviews.protocols.technical_assessment.state import TechnicalAssessmentState


def inquiry(ctx: AssessmentContext) -> TaskCall:
    """What the interviewer is asked."""
    texts = ctx.plan.texts.get(ctx.language)
    data = AssessmentCounterQuestionInput(
        persona=ctx.plan.persona,
        language=ctx.language,
        position=position_in(ctx.plan),
        about=texts.about if texts else "",
        question=ctx.state.open.wording,
        said=ctx.answer,
    )
    return TaskCall(counter_questions.KEY, ASIDE, data)


def reply(
    ctx: AssessmentContext, results: CallResults, state: TechnicalAssessmentState
) -> NextMove:
    """The move, once a model was asked."""
    asked = state.open
    private = (ctx.plan.persona, *guards.prompts())
    expected = expected_of(ctx, asked)
    return counter_questions.reply(
        state.model_copy(update={"asides": state.asides + 1}),
        results[counter_questions.KEY],
        lambda text: guards.aside(text, ctx.language, private, expected, asked.wording),
        say(ctx.language, "aside"),
        put(asked, len(state.asked)),
    )
