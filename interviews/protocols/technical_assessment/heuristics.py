"""Judgement of an answer without a model.

The answer is compared word by word with what was expected. So rules tell an answer from an empty
one, but never a true sentence from a false one with the same words: they never suspect an invented
answer, and score low where nothing expected was written down.
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
FULL_LENGTH = 40  # words of an answer that lacks none
ENOUGH_TERMS = 6  # expected terms that make a full answer, even if there are more
# where nothing expected was written down: terms of a full answer, and the best score for it, with
# and without a word of the subject
MANY_TERMS = 12
UNKNOWN, UNRELATED = 0.6, 0.4
CONFIRMED, HARDER, EASIER = 0.5, 0.65, 0.35  # correctness
CONFIDENT, HEDGE_COST = 0.8, 0.2  # confidence, and what each hedge takes from it
Verbosity = Literal["short", "medium", "long"]


# findings where the meaning is clear; a request to clarify is a question back too
CLEAR_MEANINGS: dict[Meaning, dict[str, str | bool]] = {
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
    known = meaning(data.answer, data.language, data.question)
    return _judge_terms(data) if known is None else _gap(data, CLEAR_MEANINGS[known])


def verbosity(answer: str, language: str = "en") -> Verbosity:
    words = word_count(answer, language)
    return "short" if words < SHORT else "long" if words > LONG else "medium"


def uses_examples(answer: str, language: str) -> bool:
    return _count(answer, language, "examples") > 0


def _gap(data: ObserverInput, findings: dict[str, str | bool]) -> ObserverAnalysis:
    gap = {
        "action": "same",
        "status": "gap",
        "scores": Scores(correctness=0, confidence=0),
        "correct_answer": _good_answer(data),
    }
    return ObserverAnalysis.model_validate(gap | findings)


def _judge_terms(data: ObserverInput) -> ObserverAnalysis:
    answer = _without_orders(data)
    correctness = round(_correctness(data, answer), 2)
    confirmed = correctness >= CONFIRMED
    return ObserverAnalysis(
        action=_action(correctness),
        status="confirmed" if confirmed else "gap",
        scores=Scores(correctness=correctness, confidence=_confidence(data, answer)),
        notes="Judged by rules: words in common with what was expected.",
        correct_answer="" if confirmed else _good_answer(data),
    )


def _good_answer(data: ObserverInput) -> str:
    poor = re.search(rf"\b(?:{listed(data.language, 'weak').pattern})\b", data.expected, re.I)
    return data.expected[: poor.start()].strip() if poor else data.expected


def _without_orders(data: ObserverInput) -> str:
    sentences = SENTENCES.split(data.answer)
    return " ".join(one for one in sentences if not off_topic(one, data.language))


def _correctness(data: ObserverInput, answer: str) -> float:
    """Return 0 to 1. Words of the question don't count: anyone can repeat them."""
    asked = terms(data.question, data.language)
    own = terms(answer, data.language) - asked
    expected = terms(_good_answer(data), data.language) - asked
    if not expected:
        subject = asked | terms(" ".join([data.topic, *data.topics]), data.language)
        related = bool(terms(answer, data.language) & subject)
        return (UNKNOWN if related else UNRELATED) * min(1.0, len(own) / MANY_TERMS)
    named = len(own & expected) / min(len(expected), ENOUGH_TERMS)
    length = min(1.0, word_count(answer, data.language) / FULL_LENGTH)
    return min(1.0, 0.9 * named + 0.1 * length) if named else 0.0


def _action(correctness: float) -> Action:
    if correctness >= HARDER:
        return "increase"
    return "decrease" if correctness < EASIER else "same"


def _confidence(data: ObserverInput, answer: str) -> float:
    if not terms(answer, data.language):
        return 0.0
    hedges = _count(answer, data.language, "hedges")
    return round(max(0.1, CONFIDENT - HEDGE_COST * hedges), 2)


def _count(text: str, language: str, name: Literal["hedges", "examples"]) -> int:
    return len(re.findall(rf"\b(?:{listed(language, name).pattern})\b", plain(text)))
