"""What an answer says by its cue words, one concept tied to nothing but the focus; how deep it is.

Rules can't tell what an answer means, only that something was said. So it becomes one node, in the
person's words, and is tied only to the node that the question asked to climb from.

How deep it goes is told by its length and its ties; its tone is for a model to hear.
"""

import re
from dataclasses import dataclass

from interviews.engine.signal import word_count
from interviews.protocols.laddering.graph.similarity import find_elements
from interviews.protocols.laddering.graph.states import Depth
from interviews.protocols.laddering.graph.types import (
    ExtractedConcept,
    ExtractedRelation,
    GraphExtraction,
)
from interviews.protocols.laddering.rules.phrases import (
    Phrase,
    cue_rung,
    phrases,
    says_nothing,
    sentences,
)
from interviews.protocols.laddering.signals.moment import WAYS, AnswerSignals
from plans.protocols.laddering.schema.concept import Concept
from plans.protocols.laddering.schema.methodology import Methodology

SENTENCE = re.compile(r"[^.!?…;\n؟]+[.!?…;\n؟]*")  # one that asks tells nothing
TELLING = re.compile(r"\w{5}")  # "important" joins other words, and alone it is an answer


@dataclass(frozen=True, slots=True)
class Question:
    """What was asked about: a node's words and type, or an element's label without a type."""

    technique: str
    text: str = ""
    type: str = ""
    elements: tuple[str, ...] = ()  # ids of those that it is about


def extract(
    answer: str, asked: Question, methodology: Methodology, concept: Concept, language: str
) -> GraphExtraction:
    """Return what an answer says: of its phrases the first that names an element, or the first.

    What is tied to something that speaks of an element is about that element too; so is what
    answers an open question about it.
    """
    parts = [one for one in SENTENCE.findall(answer) if not set(one) & set("?؟")]
    told = "".join(parts)
    clauses = (clause for one in sentences(told, language) for clause in one)
    said = [phrase for one in clauses for phrase in phrases(one.words, language, one.cue)]
    empty = any(says_nothing(one, language) for one in parts)
    if not said and not empty and TELLING.search(told):
        said = [Phrase(" ".join(told.split()).strip(" .!…"))]
    if not said:
        return GraphExtraction()
    named = (one for one in said if find_elements(one.text, concept.elements))
    phrase = next(named, said[0])
    kind = methodology.types[_rung(phrase, asked, methodology, language)]
    ends = _ends(phrase.text, kind, asked, methodology)
    about = set(find_elements(phrase.text, concept.elements))
    if ends or asked.technique == "open":
        about |= set(asked.elements)
    elements = tuple(one.id for one in concept.elements if one.id in about)
    tie = (ExtractedRelation(*ends, methodology.upward),) if ends else ()
    return GraphExtraction((ExtractedConcept(phrase.text, kind, elements),), tie)


def _rung(phrase: Phrase, asked: Question, methodology: Methodology, language: str) -> int:
    """Return the rung that cues name, else the next one where the question leads."""
    cue = cue_rung(phrase, methodology, language)
    if cue is not None:
        return cue
    rung = methodology.types.index(asked.type) if asked.type else 0
    top = len(methodology.ladder) - 1
    match WAYS.get(asked.technique):
        case "up" if asked.type and rung < top:
            return rung + 1
        case "down":
            return max(rung - 1, 0)
        case "stay" | "across" if rung < top:
            return rung
    return 0


def _ends(
    text: str, kind: str, asked: Question, methodology: Methodology
) -> tuple[str, str] | None:
    """Return source and target of the tie to the focus; None where the ladder has none."""
    if not asked.type:
        return None
    way, rung = WAYS.get(asked.technique), methodology.types.index
    if way in ("stay", "across") and rung(kind) > rung(asked.type):
        way = "up"  # what it does, told unasked
    if way == "up" and methodology.allows(methodology.upward, asked.type, kind):
        return asked.text, text
    if way == "down" and methodology.allows(methodology.upward, kind, asked.type):
        return text, asked.text
    return None


SOME, MANY = 12, 30  # words
TIES = 2  # so many cues make an answer of some words a deep one


def read(answer: str, concept: Concept, language: str) -> AnswerSignals:
    return AnswerSignals(
        depth=depth(answer, language),
        sentiment=None,
        topics=find_elements(answer, concept.elements),
    )


def depth(answer: str, language: str) -> Depth:
    words = word_count(answer, language)
    if not words or says_nothing(answer, language):
        return "shallow"
    ties = sum(bool(c.cue and c.words) for one in sentences(answer, language) for c in one)
    if (words >= SOME and ties >= TIES) or (words >= MANY and ties):
        return "deep"
    return "moderate"  # rules can't tell a short answer that means much from one that doesn't
