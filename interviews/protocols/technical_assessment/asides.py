"""A question back: one or two sentences for the candidate, and never what a good answer holds."""

from interviews.engine.types import Firing, Inquiry, Readings
from interviews.protocols.technical_assessment import guards
from interviews.protocols.technical_assessment.here import Here, expected_of, position_in, say
from interviews.protocols.technical_assessment.interviewer import ASIDE, AsideInput
from llm.outcome import Source

KEY = "answer"


def inquiry(now: Here) -> Inquiry:
    """What the interviewer is asked."""
    texts = now.plan.texts.get(now.language)
    data = AsideInput(
        persona=now.plan.persona,
        language=now.language,
        position=position_in(now.plan),
        about=texts.about if texts else "",
        question=now.state.open.wording,
        said=now.answer,
    )
    return Inquiry(KEY, ASIDE, data)


def worded(now: Here, readings: Readings) -> tuple[str, tuple[Firing, ...]]:
    """The reply, or fixed words where a guard has taken it back."""
    reading = readings[KEY]
    if reading.source is Source.FALLBACK:
        return str(reading.value), ()
    asked = now.state.open
    private = (now.plan.persona, *guards.prompts())
    expected = expected_of(now, asked)
    text, fired = guards.aside(reading.value, now.language, private, expected, asked.wording)
    return text or say(now.language, "aside"), fired
