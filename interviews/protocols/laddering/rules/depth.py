"""How deep an answer goes and what it speaks of, by rules. Its tone is for a model to hear."""

from interviews.engine.signal import word_count
from interviews.protocols.laddering.graph.elements import find_elements
from interviews.protocols.laddering.graph.states import Depth
from interviews.protocols.laddering.rules.clauses import sentences
from interviews.protocols.laddering.rules.phrases import says_nothing
from interviews.protocols.laddering.signals.moment import AnswerSignals
from plans.protocols.laddering.schema.concept import Concept

FEW, SOME, MANY = 5, 12, 30  # words
TIES = 2  # so many cues make an answer of some words a deep one


def read(answer: str, concept: Concept, language: str) -> AnswerSignals:
    return AnswerSignals(
        depth=depth(answer, language),
        sentiment=None,
        topics=find_elements(answer, concept.elements),
    )


def depth(answer: str, language: str) -> Depth:
    if says_nothing(answer, language):
        return "shallow"
    words = word_count(answer, language)
    ties = sum(bool(c.tie and c.words) for one in sentences(answer, language) for c in one)
    if (words >= SOME and ties >= TIES) or (words >= MANY and ties):
        return "deep"
    return "moderate" if words >= SOME or (words >= FEW and ties) else "shallow"
