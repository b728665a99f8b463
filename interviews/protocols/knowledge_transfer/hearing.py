"""What was said instead of an answer, if anything, to the open question as it was put."""

from interviews.engine import asking_back
from interviews.engine.asking_back import Said
from interviews.engine.types import Inquiry, Readings
from interviews.protocols.knowledge_transfer.here import Here


def passed_over(now: Here) -> bool:
    """Whether the question is left out, by the button or in clear words."""
    return asking_back.passed_over(now.received, now.language, now.state.open.asked)


def hear(now: Here, readings: Readings) -> Said | None:
    """What was said; None where a model has still to be asked."""
    asked, asides = now.state.open.asked, now.state.asides
    return asking_back.hear(now.answer, now.language, asked, asides, readings)


def inquiry(now: Here) -> Inquiry:
    """What a model is asked about something that may be no answer."""
    return asking_back.inquiry(now.answer, now.state.open.asked)
