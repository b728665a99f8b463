"""A question back: one or two honest sentences, then the open question again."""

from interviews.engine import counter_questions, guards
from interviews.engine.counter_questions import KEY
from interviews.engine.types import CallResults, NeedsCalls, TaskCall
from interviews.protocols.knowledge_transfer.context import (
    Here,
    NextMove,
    project_of,
    put_again,
    say,
)
from interviews.protocols.knowledge_transfer.guards import private
from interviews.protocols.knowledge_transfer.tasks import ASIDE, TransferCounterQuestionInput


def _inquiry(now: Here) -> TaskCall:
    """What the interviewer is asked."""
    texts = now.plan.texts.get(now.language)
    data = TransferCounterQuestionInput(
        persona=now.plan.persona,
        language=now.language,
        project=project_of(now),
        about=texts.about if texts else "",
        question=now.state.open.asked,
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
        put_again(now.state.open),
    )
