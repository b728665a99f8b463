"""Short answers to the candidate's own questions. They never tell what a good answer holds."""

from interviews.engine import counter_questions
from interviews.engine.result import CallResults, TaskCall
from interviews.protocols.technical_assessment import guards
from interviews.protocols.technical_assessment.context import (
    AssessmentContext,
    NextMove,
    as_utterance,
    expected_answer,
    position_name,
    say,
)
from interviews.protocols.technical_assessment.interviewer import (
    ASIDE,
    AssessmentCounterQuestionInput,
)
from interviews.protocols.technical_assessment.state import TechnicalAssessmentState


def task_call(ctx: AssessmentContext) -> TaskCall:
    texts = ctx.plan.texts.get(ctx.language)
    data = AssessmentCounterQuestionInput(
        persona=ctx.plan.persona,
        language=ctx.language,
        position=position_name(ctx.plan),
        about=texts.about if texts else "",
        question=ctx.state.open.wording,
        said=ctx.answer,
    )
    return TaskCall(counter_questions.KEY, ASIDE, data)


def reply(
    ctx: AssessmentContext, results: CallResults, state: TechnicalAssessmentState
) -> NextMove:
    asked = state.open
    private = (ctx.plan.persona, *guards.prompts())
    expected = expected_answer(ctx, asked)
    return counter_questions.reply(
        state.model_copy(update={"asides": state.asides + 1}),
        results[counter_questions.KEY],
        lambda text: guards.cut_aside(text, ctx.language, private, expected, asked.wording),
        say(ctx.language, "aside"),
        as_utterance(asked, len(state.asked)),
    )
