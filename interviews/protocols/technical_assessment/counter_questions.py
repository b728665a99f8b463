"""A question back: one or two sentences for the candidate, and never what a good answer holds."""

from interviews.engine import counter_questions
from interviews.engine.types import CallResults, TaskCall
from interviews.protocols.technical_assessment import guards
from interviews.protocols.technical_assessment.context import (
    Here,
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


def inquiry(now: Here) -> TaskCall:
    """What the interviewer is asked."""
    texts = now.plan.texts.get(now.language)
    data = AssessmentCounterQuestionInput(
        persona=now.plan.persona,
        language=now.language,
        position=position_in(now.plan),
        about=texts.about if texts else "",
        question=now.state.open.wording,
        said=now.answer,
    )
    return TaskCall(counter_questions.KEY, ASIDE, data)


def reply(now: Here, readings: CallResults, state: TechnicalAssessmentState) -> NextMove:
    """The move, once a model was asked."""
    asked = state.open
    private = (now.plan.persona, *guards.prompts())
    expected = expected_of(now, asked)
    return counter_questions.reply(
        state.model_copy(update={"asides": state.asides + 1}),
        readings[counter_questions.KEY],
        lambda text: guards.aside(text, now.language, private, expected, asked.wording),
        say(now.language, "aside"),
        put(asked, len(state.asked)),
    )
