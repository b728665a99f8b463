"""What can be said of an answer without a model.

What was said is compared with what was expected, word by word. So rules tell an answer from an
empty one, and never a true sentence from a false one that uses the same words: they suspect nobody
of making things up, and are sure of nothing where it was not written down what to expect.
"""

import re
from typing import Literal

from interviews.engine.language.intents import SENTENCES, Meaning, meaning, off_topic
from interviews.engine.language.intents.lists import listed
from interviews.engine.language.terms import terms
from interviews.engine.language.wishes import plain
from interviews.engine.signal import word_count
from interviews.protocols.technical_assessment.analysis import (
    Action,
    ObserverAnalysis,
    ObserverInput,
    Scores,
)

SHORT, LONG = 15, 80  # words: fewer are short, more are long
FULL = 40  # words of an answer that lacks none
ENOUGH = 6  # expected terms; who names so many need not name them all
MANY = 12  # terms of its own in an answer that has nothing to be compared with …
UNKNOWN, UNRELATED = 0.6, 0.4  # … and the most that it can get, without a word of the subject too
CONFIRMED, HARDER, EASIER = 0.5, 0.65, 0.35  # of correctness
SURE, HEDGED = 0.8, 0.2  # confidence, and what each hedge takes from it
Verbosity = Literal["short", "medium", "long"]


# what is found where the meaning is clear; a request to clarify is a question back too
CLEAR: dict[Meaning, dict[str, str | bool]] = {
    Meaning.STOP: {"stop_intent": True, "stop_intent_reason": "Says so."},
    Meaning.QUESTION: {"role_reversal": True, "role_reversal_reason": "A question."},
    Meaning.CLARIFY: {
        "role_reversal": True,
        "role_reversal_reason": "A question.",
        "clarification": True,
        "clarification_reason": "Wants the question in other words.",
    },
    Meaning.OFF_TOPIC: {"off_topic": True, "off_topic_reason": "Not about the question."},
    Meaning.NOT_KNOWING: {"action": "decrease", "notes": "Says that they don't know."},
}


def judge(data: ObserverInput) -> ObserverAnalysis:
    """The answer judged by rules."""
    clear = meaning(data.answer, data.language, data.question)
    return _measured(data) if clear is None else _nothing(data, CLEAR[clear])


def verbosity(answer: str, language: str = "en") -> Verbosity:
    words = word_count(answer, language)
    if words < SHORT:
        return "short"
    return "long" if words > LONG else "medium"


def uses_examples(answer: str, language: str) -> bool:
    """Whether the answer announces an example, or tells of a case."""
    return _count(answer, language, "examples") > 0


def _nothing(data: ObserverInput, found: dict[str, str | bool]) -> ObserverAnalysis:
    """Nothing was shown of what the question asks."""
    gap = {
        "action": "same",
        "status": "gap",
        "scores": Scores(correctness=0, confidence=0),
        "correct_answer": _good(data),
    }
    return ObserverAnalysis.model_validate(gap | found)


def _measured(data: ObserverInput) -> ObserverAnalysis:
    said = _to_the_point(data)
    correctness = round(_correctness(data, said), 2)
    confirmed = correctness >= CONFIRMED
    return ObserverAnalysis(
        action=_action(correctness),
        status="confirmed" if confirmed else "gap",
        scores=Scores(correctness=correctness, confidence=_confidence(data, said)),
        notes="Judged by rules: words in common with what was expected.",
        correct_answer="" if confirmed else _good(data),
    )


def _good(data: ObserverInput) -> str:
    """What is expected of a good answer, without what marks a poor one."""
    poor = re.search(rf"\b(?:{listed(data.language, 'weak').pattern})\b", data.expected, re.I)
    return data.expected[: poor.start()].strip() if poor else data.expected


def _to_the_point(data: ObserverInput) -> str:
    """The answer without sentences that order the observer about."""
    sentences = SENTENCES.split(data.answer)
    return " ".join(one for one in sentences if not off_topic(one, data.language))


def _correctness(data: ObserverInput, said: str) -> float:
    """0 to 1. Words of the question itself count for nothing: anyone can repeat them."""
    asked = terms(data.question, data.language)
    own = terms(said, data.language) - asked
    expected = terms(_good(data), data.language) - asked
    if not expected:
        subject = asked | terms(" ".join([data.topic, *data.topics]), data.language)
        near = bool(terms(said, data.language) & subject)
        return (UNKNOWN if near else UNRELATED) * min(1.0, len(own) / MANY)
    named = len(own & expected) / min(len(expected), ENOUGH)
    length = min(1.0, word_count(said, data.language) / FULL)
    return min(1.0, 0.9 * named + 0.1 * length) if named else 0.0


def _action(correctness: float) -> Action:
    if correctness >= HARDER:
        return "increase"
    return "decrease" if correctness < EASIER else "same"


def _confidence(data: ObserverInput, said: str) -> float:
    if not terms(said, data.language):
        return 0.0
    hedges = _count(said, data.language, "hedges")
    return round(max(0.1, SURE - HEDGED * hedges), 2)


def _count(text: str, language: str, name: Literal["hedges", "examples"]) -> int:
    return len(re.findall(rf"\b(?:{listed(language, name).pattern})\b", plain(text)))
