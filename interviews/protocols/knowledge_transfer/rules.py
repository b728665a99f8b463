"""What an answer comes to without a model: how much it gives, itself as a fact, and a fixed probe.

Rules tell a short or empty answer from a long and concrete one, and nothing more; so they keep the
participant's own words and discover nothing.
"""

import textwrap

from interviews.engine.language.intents import Meaning, meaning
from interviews.engine.language.lists import courtesies
from interviews.engine.language.sentences import single_spaced
from interviews.engine.language.wishes import clauses
from interviews.engine.signal import concrete, word_count
from interviews.protocols.knowledge_transfer.context import say, shortened
from interviews.protocols.knowledge_transfer.lexicon import listed
from interviews.protocols.knowledge_transfer.tasks import (
    Confidence,
    TransferExtractInput,
    TransferExtraction,
)

TINY, RICH = 6, 25  # words: so few say little, so many with concrete detail say enough
FACT = 500  # characters of one fact
ASKED = 160  # … of the question that it begins with
MOST_FACTS = 12
NOTHING_TOLD = (Meaning.NOT_KNOWING, Meaning.OFF_TOPIC)


def extract(data: TransferExtractInput) -> TransferExtraction:
    confidence = _confidence(data)
    told = not says_nothing(data.answer, data.language, data.question)
    return TransferExtraction(
        confidence=confidence,
        follow_up=None if confidence == "high" else follow_up(data, confidence),
        facts=list(as_told(data.language, data.root, data.answer)) if told else [],
    )


def says_nothing(answer: str, language: str, question: str) -> bool:
    """Whether nothing in it could be of use: "it depends", "nobody knows", an order to the bot."""
    if meaning(answer, language, question) in NOTHING_TOLD:
        return True
    return all(_empty(clause, language, question) for clause in clauses(answer))


def _empty(clause: str, language: str, question: str) -> bool:
    if listed("vague").fullmatch(clause) or courtesies().fullmatch(clause):
        return True
    return meaning(clause, language, question) is Meaning.NOT_KNOWING


def as_told(language: str, question: str, answer: str) -> tuple[str, ...]:
    """The answer itself as facts, with the question that it answers; a long one in pieces."""
    asked = shortened(single_spaced(question), ASKED)
    room = FACT - len(say(language, "fact", question=asked, answer=""))
    pieces = textwrap.wrap(single_spaced(answer), room, break_on_hyphens=False)
    return tuple(say(language, "fact", question=asked, answer=one) for one in pieces[:MOST_FACTS])


def follow_up(data: TransferExtractInput, confidence: Confidence) -> str:
    """A fixed one: after a medium answer for what is missing, after a low one another way.

    As a rule every second round is one, hence the half: wordings come in turn.
    """
    if confidence == "medium":
        return say(data.language, "probe", data.round // 2)
    document = next((source.document for source in data.sources), "")
    key = "angle_in" if document else "angle"
    return say(data.language, key, data.round // 2, document=document)


def _confidence(data: TransferExtractInput) -> Confidence:
    words = word_count(data.answer, data.language)
    if words <= TINY or says_nothing(data.answer, data.language, data.question):
        return "low"
    rich = words >= RICH and concrete(data.answer, data.language)
    return "high" if rich else "medium"
