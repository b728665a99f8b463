"""What an answer is besides an answer, where rules can tell; the rest is left to the model."""

from enum import StrEnum

from interviews.engine.intents import wishes


class Meaning(StrEnum):
    """What clear words come to."""

    STOP = "stop"
    NOT_KNOWING = "not_knowing"  # an answer: a gap
    QUESTION = "question"  # to the interviewer
    CLARIFY = "clarify"  # the same question is wanted in other words
    OFF_TOPIC = "off_topic"


def meaning(answer: str, language: str, question: str) -> Meaning | None:
    """What the answer clearly is; None where it is not clear."""
    if wishes(answer, "stop"):
        return Meaning.STOP
    return None
