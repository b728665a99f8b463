"""Fixed texts, for use without a model or where guards reject its words."""

import re
from collections.abc import Sequence
from pathlib import Path

from interviews.engine.language.sentences import questions_in
from interviews.engine.signal import word_count
from interviews.engine.texts import fixed, has_texts, wordings
from interviews.protocols.topic_exploration.blocks import NonAnswer, UtteranceAim
from interviews.protocols.topic_exploration.exploration import Phase
from plans.similarity import first_alike

FOLDER = Path(__file__).parent / "texts"


def say(language: str, key: str, turn: int = 0, used: Sequence[str] = (), **words: str) -> str:
    return fixed(language, key, used, turn, FOLDER, words=words)


def has(language: str) -> bool:
    return has_texts(language, FOLDER)


def all_wordings(language: str, key: str) -> list[str]:
    return wordings(language, key, FOLDER)


def utterance(
    aim: UtteranceAim, language: str, answer: str, turn: int, asked: Sequence[str]
) -> str:
    if aim.exploration.phase is Phase.DEEP_OFFER:
        return _offer(language, aim)
    return f"{_lead(aim, language, answer, turn)} {question(aim, language, turn, asked)}".strip()


def _offer(language: str, aim: UtteranceAim) -> str:
    texts = all_wordings(language, "offers")
    chosen = texts[min(aim.exploration.offers, len(texts)) - 1]
    return chosen.replace("{count}", str(aim.extra_turns))


def question(aim: UtteranceAim, language: str, turn: int, asked: Sequence[str]) -> str:
    key = "rephrased" if aim.non_answer is NonAnswer.CLARIFICATION else "questions"
    templates = all_wordings(language, key)
    start = turn % len(templates)
    texts = [t.replace("{goal}", aim.goal) for t in templates[start:] + templates[:start]]
    fallbacks = all_wordings(language, "fallback_questions")
    texts += [t.replace("{topic}", aim.topic.label) for t in fallbacks]
    asked_before = [questions_in(one) for one in asked]
    return next((text for text in texts if first_alike(text, asked_before) is None), texts[0])


def _lead(aim: UtteranceAim, language: str, answer: str, turn: int) -> str:
    insight = aim.exploration.topics[aim.topic.order - 1].key_insight
    if aim.non_answer is NonAnswer.OFF_TOPIC:
        return say(language, "off_topic", topic=aim.topic.label)
    if aim.non_answer is NonAnswer.CLARIFICATION:
        return ""
    if aim.exploration.phase is Phase.DEEPEN and insight:
        return say(language, "returns", insight=insight.rstrip(". "))
    if aim.opens_topic:
        return say(language, "openings", aim.topic.order - 1, topic=aim.topic.label)
    word = _salient_word(answer, language)
    return say(language, "acknowledgements", turn, word=word) if word else ""


def _salient_word(answer: str, language: str) -> str:
    if word_count(answer, language) < 4:
        return ""
    words = re.findall(r"[^\W\d_]{5,}", answer)
    return max(words, key=len)[:40] if words else ""
