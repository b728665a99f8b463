"""Extraction without a model: a confidence, the answer itself as a fact, and a fixed follow-up.

Rules only tell a short or empty answer from a long and concrete one, so they keep the participant's
own words and discover no questions.
"""

import textwrap

from interviews.engine.language.intents import meaning, tells_nothing
from interviews.engine.language.sentences import single_spaced
from interviews.engine.language.wishes import clauses
from interviews.engine.signal import concrete, word_count
from interviews.protocols.knowledge_transfer.context import say, shorten
from interviews.protocols.knowledge_transfer.tasks import (
    Confidence,
    TransferExtractInput,
    TransferExtraction,
)

TINY_WORDS, RICH_WORDS = 6, 25  # up to the first: low; from the second on, with details: high
MAX_FACT_LENGTH = 500  # characters
MAX_QUESTION_LENGTH = 160  # characters of the question that a fact begins with
MAX_FACTS = 12
USELESS = ("dont_know", "off_topic")


def extract(data: TransferExtractInput) -> TransferExtraction:
    confidence = _confidence(data)
    useful = not says_nothing(data.answer, data.language, data.question)
    enough = confidence == "high" or (useful and _points_elsewhere(data))
    return TransferExtraction(
        confidence=confidence,
        follow_up=None if enough else follow_up(data, confidence),
        facts=list(answer_as_facts(data.language, data.root, data.answer)) if useful else [],
    )


def says_nothing(answer: str, language: str, question: str) -> bool:
    """Return whether nothing in it is of use: "it depends", "nobody knows", an order to the bot."""
    if meaning(answer, language, question) in USELESS:
        return True
    return all(tells_nothing(clause, language, question) for clause in clauses(answer))


def _points_elsewhere(data: TransferExtractInput) -> bool:
    """Return whether they don't know and say something besides: "I don't know, ask Maria"."""
    if word_count(data.answer, data.language) >= RICH_WORDS:
        return False
    return any(
        meaning(clause, data.language, data.question) == "dont_know"
        for clause in clauses(data.answer)
    )


def answer_as_facts(language: str, question: str, answer: str) -> tuple[str, ...]:
    asked = shorten(single_spaced(question), MAX_QUESTION_LENGTH)
    room = MAX_FACT_LENGTH - len(say(language, "fact", question=asked, answer=""))
    pieces = textwrap.wrap(single_spaced(answer), room, break_on_hyphens=False)[:MAX_FACTS]
    return tuple(say(language, "fact", question=asked, answer=piece) for piece in pieces)


def follow_up(data: TransferExtractInput, confidence: Confidence) -> str:
    turn = data.round // 2  # as a rule every second round is a follow-up, and wordings take turns
    if confidence == "medium":
        return say(data.language, "probe", turn)
    document = next((source.document for source in data.sources), "")
    key = "angle_in" if document else "angle"
    return say(data.language, key, turn, document=document)


def _confidence(data: TransferExtractInput) -> Confidence:
    words = word_count(data.answer, data.language)
    if words <= TINY_WORDS or says_nothing(data.answer, data.language, data.question):
        return "low"
    rich = words >= RICH_WORDS and concrete(data.answer, data.language)
    return "high" if rich else "medium"
