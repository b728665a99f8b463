"""An answer -> concepts with types, and relations."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from interviews.protocols.laddering.graph.elements import linked
from interviews.protocols.laddering.graph.types import (
    ExtractedConcept,
    ExtractedRelation,
    GraphExtraction,
)
from interviews.protocols.laddering.rules.clauses import sentences
from interviews.protocols.laddering.rules.rungs import LEADS_TO, Asking, allowed, rungs, turned
from interviews.protocols.laddering.rules.threads import FOCUS, MOST, PhraseThreads, threads
from plans.protocols.laddering.schema.concept import Concept
from plans.protocols.laddering.schema.methodology import Methodology


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
    """What an answer comes to, by its cue words alone.

    What is tied to something that speaks of an element is about that element too; so is what
    answers an open question about it.
    """
    parts = threads(sentences(answer, language), asked.technique, language)
    said = turned(parts, methodology, language)
    rung = methodology.types.index(asked.type) if asked.type else None
    placed = rungs(said, Asking(rung, asked.technique), methodology, language)
    found = said if rung is None else _possible(said, rung, placed, methodology)
    concepts = _concepts(found, placed, _inherited(found, asked, concept), methodology)[:MOST]
    relations = _relations(found, asked, {one.text for one in concepts})
    return GraphExtraction(tuple(concepts), tuple(relations))


def _possible(
    found: PhraseThreads, rung: int, placed: Sequence[Sequence[int]], ways: Methodology
) -> PhraseThreads:
    """Without ties to the focus that the ladder has no room for: then the talk has moved on."""
    put = {FOCUS: [rung], **dict(enumerate(placed))}
    pairs = [
        (first, second)
        for first, second in found.pairs
        if FOCUS not in (first, second) or allowed(put[first], put[second], ways)
    ]
    return replace(found, pairs=pairs)


def _concepts(
    found: PhraseThreads,
    placed: Sequence[Sequence[int]],
    about: Sequence[set[str]],
    ways: Methodology,
) -> list[ExtractedConcept]:
    return [
        ExtractedConcept(phrase.text, ways.types[rung], tuple(sorted(elements)))
        for group, on, elements in zip(found.groups, placed, about, strict=True)
        for phrase, rung in zip(group, on, strict=True)
    ]


def _relations(found: PhraseThreads, asked: Question, kept: set[str]) -> list[ExtractedRelation]:
    said = {place: [one.text for one in group] for place, group in enumerate(found.groups)}
    texts = {FOCUS: [asked.text] if asked.type else [], **said}
    known = kept | {asked.text}
    return [
        ExtractedRelation(source, target, LEADS_TO)
        for first, second in found.pairs
        for source in texts[first]
        for target in texts[second]
        if source in known and target in known
    ]


def _inherited(found: PhraseThreads, asked: Question, concept: Concept) -> list[set[str]]:
    """The elements that each group is about because of what it is tied to."""
    own = [
        {element for one in group for element in linked(one.text, concept.elements)}
        for group in found.groups
    ]
    own.append(set(asked.elements))  # FOCUS is the last place
    inherited = [
        {element for other in found.tied_to(place) for element in own[other]}
        for place in range(len(found.groups))
    ]
    if inherited and asked.technique == "open":
        inherited[0] |= own[FOCUS]
    return inherited
