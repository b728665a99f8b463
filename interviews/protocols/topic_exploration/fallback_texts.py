"""Fixed texts, for use without a model or where guards reject its words."""

from collections.abc import Sequence
from pathlib import Path

from interviews.engine.signal import word_count
from interviews.engine.texts import fixed, has_texts, wordings
from interviews.protocols.topic_exploration.blocks import NonAnswer, UtteranceAim
from interviews.protocols.topic_exploration.exploration import Phase

FOLDER = Path(__file__).parent / "texts"
FEW_WORDS = 4  # answers with fewer words are not acknowledged


def say(language: str, key: str, turn: int = 0, used: Sequence[str] = (), **words: str) -> str:
    return fixed(language, key, used, turn, FOLDER, words=words)


def has(language: str) -> bool:
    return has_texts(language, FOLDER)


def all_wordings(language: str, key: str) -> list[str]:
    return wordings(language, key, FOLDER)


def utterance(aim: UtteranceAim, language: str, answer: str, turn: int) -> str:
    if aim.exploration.phase is Phase.DEEP_OFFER:
        return _offer(language, aim)
    return f"{_lead(aim, language, answer, turn)} {question(aim, language)}".strip()


def _offer(language: str, aim: UtteranceAim) -> str:
    key = "offers_of_one" if aim.extra_turns == 1 else "offers"
    texts = all_wordings(language, key)
    chosen = texts[min(aim.exploration.offers, len(texts)) - 1]
    return chosen.replace("{count}", str(aim.extra_turns))


def question(aim: UtteranceAim, language: str) -> str:
    """Return the sub-goal's own question as it was written, else the plain frame."""
    if aim.non_answer is NonAnswer.CLARIFICATION:
        return say(language, "rephrased", _earlier_non_answers(aim), goal=aim.goal)
    return aim.question or say(language, "questions", goal=aim.goal)


def _lead(aim: UtteranceAim, language: str, answer: str, turn: int) -> str:
    topics, topic = aim.exploration.topics, aim.topic.label
    if aim.non_answer is NonAnswer.OFF_TOPIC:
        return say(language, "off_topic", _earlier_non_answers(aim), topic=topic)
    if aim.non_answer is NonAnswer.CLARIFICATION:
        return ""
    if aim.returns:
        return say(language, "returns", sum(one.deepened > 0 for one in topics), topic=topic)
    if aim.opens_topic:
        return _opening(language, topic, earlier=sum(one.started for one in topics))
    brief = word_count(answer, language) < FEW_WORDS
    return "" if brief else say(language, "acknowledgements", turn)


def _earlier_non_answers(aim: UtteranceAim) -> int:
    return aim.exploration.current.clarifications - 1


def _opening(language: str, topic: str, earlier: int) -> str:
    """Open a topic in words that no topic had before all of them were used."""
    if not earlier:
        return say(language, "first_opening", topic=topic)
    return say(language, "openings", earlier - 1, topic=topic)
