"""What can be said of an answer without a model."""

from typing import Literal

from interviews.engine.signal import word_count
from interviews.protocols.technical_assessment.analysis import (
    ObserverAnalysis,
    ObserverInput,
    Scores,
)

SHORT, LONG = 15, 80  # words: fewer are short, more are long
Verbosity = Literal["short", "medium", "long"]


def judge(data: ObserverInput) -> ObserverAnalysis:
    """The answer judged by rules."""
    correctness = min(1.0, word_count(data.answer, data.language) / LONG)
    return ObserverAnalysis(
        action="same",
        status="confirmed" if correctness > 0.5 else "gap",
        scores=Scores(correctness=correctness, confidence=correctness),
    )


def verbosity(answer: str, language: str = "en") -> Verbosity:
    """How long the answer is."""
    words = word_count(answer, language)
    if words < SHORT:
        return "short"
    return "long" if words > LONG else "medium"


def uses_examples(answer: str, language: str) -> bool:
    """Whether the answer gives an example."""
    return "example" in answer.casefold()
