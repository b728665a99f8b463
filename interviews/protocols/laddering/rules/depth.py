"""An answer -> how deep it goes, its tone, and what it speaks of."""

from interviews.engine.signal import word_count
from interviews.protocols.laddering.graph.elements import linked
from interviews.protocols.laddering.graph.states import Depth
from interviews.protocols.laddering.rules.clauses import sentences
from interviews.protocols.laddering.rules.cue_words import ListName, listed
from interviews.protocols.laddering.rules.phrases import says_nothing
from interviews.protocols.laddering.signals.moment import AnswerReading, Sentiment
from plans.protocols.laddering.schema.concept import Concept

FEW, SOME, MANY = 5, 12, 30  # words
TIES = 2  # so many cues make an answer of some words a deep one


def read(answer: str, concept: Concept, language: str) -> AnswerReading:
    """What rules read in an answer."""
    return AnswerReading(
        depth=depth(answer, language),
        sentiment=sentiment(answer, language),
        topics=linked(answer, concept.elements),
    )


def depth(answer: str, language: str) -> Depth:
    """By its length and by how often it ties one thing to another."""
    if says_nothing(answer, language):
        return "shallow"
    words, ties = word_count(answer, language), _ties(answer, language)
    if (words >= SOME and ties >= TIES) or (words >= MANY and ties):
        return "deep"
    return "moderate" if words >= SOME or (words >= FEW and ties) else "shallow"


def sentiment(answer: str, language: str) -> Sentiment:
    """By which words outnumber the others."""
    balance = _count(answer, language, "positive") - _count(answer, language, "negative")
    if not balance:
        return "neutral"
    return "positive" if balance > 0 else "negative"


def _ties(answer: str, language: str) -> int:
    return sum(bool(c.tie and c.words) for one in sentences(answer, language) for c in one)


def _count(answer: str, language: str, name: ListName) -> int:
    return len(listed(language, name).findall(answer))
