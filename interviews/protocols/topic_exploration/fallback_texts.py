"""What is said without a model, or where no model's words could be used: templates by language."""

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
    """One of the fixed sentences, filled in."""
    return fixed(language, key, used, turn, FOLDER, words=words)


def has(language: str) -> bool:
    """Whether there are fixed words in that language."""
    return has_texts(language, FOLDER)


def every(language: str, key: str) -> list[str]:
    """All wordings of one of them, in their order."""
    return wordings(language, key, FOLDER)


def utterance(
    aim: UtteranceAim, language: str, answer: str, turn: int, asked: Sequence[str]
) -> str:
    """The whole utterance for an aim: an acknowledgement or a lead, then the question."""
    if aim.exploration.phase is Phase.DEEP_OFFER:
        return offer(language, aim)
    return f"{_lead(aim, language, answer, turn)} {question(aim, language, turn, asked)}".strip()


def offer(language: str, aim: UtteranceAim) -> str:
    """The offer to go on; the second time in other words."""
    every = wordings(language, "offers", FOLDER)
    chosen = every[min(aim.exploration.offers, len(every)) - 1]
    return chosen.replace("{count}", str(aim.offer))


def question(aim: UtteranceAim, language: str, turn: int, asked: Sequence[str]) -> str:
    """A question for the aim that was not asked before, as far as the templates allow."""
    key = "rephrased" if aim.trouble is NonAnswer.CLARIFICATION else "questions"
    templates = wordings(language, key, FOLDER)
    shift = turn % len(templates)
    every = [t.replace("{goal}", aim.goal) for t in templates[shift:] + templates[:shift]]
    every += [
        t.replace("{topic}", aim.topic.label)
        for t in wordings(language, "fallback_questions", FOLDER)
    ]
    past = [questions_in(one) for one in asked]
    return next((text for text in every if first_alike(text, past) is None), every[0])


def _lead(aim: UtteranceAim, language: str, answer: str, turn: int) -> str:
    insight = aim.exploration.topics[aim.topic.order - 1].key_insight
    if aim.trouble is NonAnswer.OFF_TOPIC:
        return say(language, "off_topic", topic=aim.topic.label)
    if aim.trouble is NonAnswer.CLARIFICATION:
        return ""
    if aim.exploration.phase is Phase.DEEPEN and insight:
        return say(language, "returns", insight=insight.rstrip(". "))
    if aim.opens:
        return say(language, "openings", aim.topic.order - 1, topic=aim.topic.label)
    word = _telling_word(answer, language)
    return say(language, "acknowledgements", turn, word=word) if word else ""


def _telling_word(answer: str, language: str) -> str:
    """A long word of the answer, to show that it was read; none for a few words."""
    if word_count(answer, language) < 4:
        return ""
    words = re.findall(r"[^\W\d_]{5,}", answer)
    return max(words, key=len)[:40] if words else ""
