"""Extract concepts with types, and relations, from an answer by its cue words."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from interviews.protocols.laddering.graph.elements import find_elements
from interviews.protocols.laddering.graph.types import (
    ExtractedConcept,
    ExtractedRelation,
    GraphExtraction,
)
from interviews.protocols.laddering.rules.clauses import sentences
from interviews.protocols.laddering.rules.rungs import (
    LEADS_TO,
    cue_rung,
    may_lead,
    phrase_rungs,
    turn_reasons,
)
from interviews.protocols.laddering.rules.threads import FOCUS, MOST, PhraseThreads, threads
from plans.protocols.laddering.schema.concept import Concept
from plans.protocols.laddering.schema.methodology import Methodology

SENTENCE = re.compile(r"[^.!?…;\n؟]+[.!?…;\n؟]*")  # one that asks tells nothing


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
    """Return what an answer says.

    What is tied to something that speaks of an element is about that element too; so is what
    answers an open question about it.
    """
    told = [one for one in SENTENCE.findall(answer) if not set(one) & set("?؟")]
    said = threads(sentences("".join(told), language), asked.technique, language)
    marks = [[cue_rung(phrase, methodology, language) for phrase in one] for one in said.groups]
    said = turn_reasons(said, marks, methodology)
    asked_rung = methodology.types.index(asked.type) if asked.type else None
    rungs = phrase_rungs(said, marks, asked_rung, asked.technique, methodology)
    if asked_rung is not None:
        said = _without_impossible_ties(said, asked_rung, rungs, methodology)
    concepts = [
        ExtractedConcept(phrase.text, methodology.types[rung], tuple(sorted(elements)))
        for group, on, elements in zip(
            said.groups, rungs, _elements(said, asked, concept), strict=True
        )
        for phrase, rung in zip(group, on, strict=True)
    ][:MOST]
    relations = _relations(said, asked, {one.text for one in concepts})
    return GraphExtraction(tuple(concepts), tuple(relations))


def _without_impossible_ties(
    said: PhraseThreads, asked_rung: int, rungs: Sequence[Sequence[int]], methodology: Methodology
) -> PhraseThreads:
    """Drop ties to the focus that the ladder has no room for: the person has moved on."""
    on = {FOCUS: [asked_rung], **dict(enumerate(rungs))}
    pairs = [
        (first, second)
        for first, second in said.pairs
        if FOCUS not in (first, second) or may_lead(on[first], on[second], methodology)
    ]
    return replace(said, pairs=pairs)


def _relations(said: PhraseThreads, asked: Question, kept: set[str]) -> list[ExtractedRelation]:
    texts = {place: [one.text for one in group] for place, group in enumerate(said.groups)}
    texts[FOCUS] = [asked.text] if asked.type else []
    known = kept | {asked.text}
    return [
        ExtractedRelation(source, target, LEADS_TO)
        for first, second in said.pairs
        for source in texts[first]
        for target in texts[second]
        if source in known and target in known
    ]


def _elements(said: PhraseThreads, asked: Question, concept: Concept) -> list[set[str]]:
    own = [
        {element for one in group for element in find_elements(one.text, concept.elements)}
        for group in said.groups
    ]
    own.append(set(asked.elements))  # FOCUS is the last place
    inherited = [
        {element for other in said.tied_to(place) for element in own[other]}
        for place in range(len(said.groups))
    ]
    if inherited and asked.technique == "open":
        inherited[0] |= own[FOCUS]
    return inherited
