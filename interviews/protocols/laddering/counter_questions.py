"""A question back: one or two honest sentences, then the open question again."""

from interviews.engine import counter_questions, guards
from interviews.engine.counter_questions import KEY
from interviews.engine.types import CallResults, NeedsCalls, TaskCall
from interviews.protocols.laddering.context import Here, NextMove, concept_of, put, say
from interviews.protocols.laddering.guards import private
from interviews.protocols.laddering.tasks import ASIDE, LadderingCounterQuestionInput


def _inquiry(now: Here) -> TaskCall:
    """What the interviewer is asked."""
    texts = now.plan.texts.get(now.language)
    data = LadderingCounterQuestionInput(
        persona=now.plan.persona,
        language=now.language,
        topic=concept_of(now).context.topic,
        about=texts.about if texts else "",
        question=now.state.open.text,
        said=now.answer,
    )
    return TaskCall(KEY, ASIDE, data)


def reply(now: Here, readings: CallResults) -> NeedsCalls | NextMove:
    """The move, or what a model must be asked first."""
    if KEY not in readings:
        return NeedsCalls((_inquiry(now),))
    return counter_questions.reply(
        now.state.model_copy(update={"asides": now.state.asides + 1}),
        readings[KEY],
        lambda text: guards.aside(text, now.language, private(now)),
        say(now.language, "aside"),
        put(now.state),
    )
