"""What was said instead of an answer, if anything, or that it tells nothing.

What is doubtful is read as an answer meanwhile, so that nobody waits for three replies in a row.
"""

from typing import Literal

from interviews.engine.language import reading
from interviews.engine.language.intents import Meaning, meaning
from interviews.engine.language.reading import BRIEF, Said
from interviews.engine.types import CallResults, TaskCall
from interviews.protocols.laddering.context import Here
from interviews.protocols.laddering.rules.phrases import says_nothing

What = Said | Literal["left_out", "nothing_told"]
TELLS_NOTHING = (Meaning.NOT_KNOWING, Meaning.OFF_TOPIC)


def hear(now: Here, readings: CallResults) -> What | None:
    """What was said; None where a model has still to be asked."""
    asked = now.state.open.text
    if reading.passed_over(now.received, now.language, asked):
        return "left_out"
    if _tells_nothing(now):
        return "nothing_told"
    return reading.hear(now.answer, now.language, asked, now.state.asides, readings)


def inquiry(now: Here) -> TaskCall:
    """What a model is asked about something that may be no answer."""
    return reading.inquiry(now.answer, now.state.open.text)


def _tells_nothing(now: Here) -> bool:
    """Whether there is nothing to be read in it: who doesn't know, or speaks of something else."""
    if len(now.answer) > BRIEF:
        return False
    if says_nothing(now.answer, now.language):
        return True
    return meaning(now.answer, now.language, now.state.open.text) in TELLS_NOTHING
