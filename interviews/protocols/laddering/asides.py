"""A question back: one or two honest sentences, then the open question again."""

from interviews.engine.guards import aside
from interviews.engine.types import Firing, Inquiry, Readings
from interviews.protocols.laddering.guards import private
from interviews.protocols.laddering.here import Here, concept_of, say
from interviews.protocols.laddering.tasks import ASIDE, AsideInput
from llm.outcome import Source

KEY = "answer"


def inquiry(now: Here) -> Inquiry:
    """What the interviewer is asked."""
    texts = now.plan.texts.get(now.language)
    data = AsideInput(
        persona=now.plan.persona,
        language=now.language,
        topic=concept_of(now).context.topic,
        about=texts.about if texts else "",
        question=now.state.open.text,
        said=now.answer,
    )
    return Inquiry(KEY, ASIDE, data)


def worded(now: Here, readings: Readings) -> tuple[str, tuple[Firing, ...]]:
    """The reply; a fixed one without a model, or where a guard has taken it back."""
    reading = readings[KEY]
    if reading.source is Source.FALLBACK:
        return say(now.language, "aside"), ()
    text, fired = aside(reading.value, now.language, private(now))
    return text or say(now.language, "aside"), fired
