"""What was said instead of an answer, if anything, to the open question as it was put."""

from interviews.engine.language import reading
from interviews.engine.language.reading import Said
from interviews.engine.types import CallResults, TaskCall
from interviews.protocols.knowledge_transfer.context import Here


def passed_over(now: Here) -> bool:
    """Whether the question is left out, by the button or in clear words."""
    return reading.passed_over(now.received, now.language, now.state.open.asked)


def hear(now: Here, readings: CallResults) -> Said | None:
    """What was said; None where a model has still to be asked."""
    asked, asides = now.state.open.asked, now.state.asides
    return reading.hear(now.answer, now.language, asked, asides, readings)


def inquiry(now: Here) -> TaskCall:
    """What a model is asked about something that may be no answer."""
    return reading.inquiry(now.answer, now.state.open.asked)
