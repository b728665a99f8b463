"""An answer -> concepts with types, and relations."""

import re
from dataclasses import dataclass

from interviews.protocols.laddering.graph.linking import linked
from interviews.protocols.laddering.graph.types import (
    ExtractedConcept,
    ExtractedRelation,
    Extraction,
)
from interviews.protocols.laddering.rules.clauses import sentences
from interviews.protocols.laddering.rules.threads import FOCUS, MOST, Threads, threads
from plans.ladders.concept import Concept
from plans.ladders.methodology import Methodology

LEADS_TO = "leads_to"


@dataclass(frozen=True, slots=True)
class Question:
    """What was asked about: a node's words and type, or an element's label without a type."""

    technique: str
    text: str = ""
    type: str = ""
    elements: tuple[str, ...] = ()  # ids of those that it is about


def extract(
    answer: str, asked: Question, methodology: Methodology, concept: Concept, language: str
) -> Extraction:
    """What an answer comes to, by its cue words alone.

    What is tied to something that speaks of an element is about that element too; so is what
    answers an open question about it.
    """
    found = threads(sentences(answer, language), asked.technique, language)
    types = _types(found, asked, methodology, language)
    inherited = _inherited(found, asked, concept)
    concepts = [
        ExtractedConcept(text, types[place], tuple(sorted(inherited[place])))
        for place, group in enumerate(found.groups)
        for text in group
    ]
    kept = concepts[:MOST]
    return Extraction(tuple(kept), tuple(_relations(found, asked, {one.text for one in kept})))


def _relations(found: Threads, asked: Question, kept: set[str]) -> list[ExtractedRelation]:
    texts = {FOCUS: [asked.text] if asked.type else [], **dict(enumerate(found.groups))}
    known = kept | {asked.text}
    return [
        ExtractedRelation(source, target, LEADS_TO)
        for first, second in found.pairs
        for source in texts[first]
        for target in texts[second]
        if source in known and target in known
    ]


def _inherited(found: Threads, asked: Question, concept: Concept) -> list[set[str]]:
    """The elements that each group is about because of what it is tied to."""
    own = [
        {element for text in group for element in linked(text, concept.elements)}
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


def _types(found: Threads, asked: Question, ways: Methodology, language: str) -> list[str]:
    """Each group's type: by the words that mark one, else a rung above what leads to it."""
    types: dict[int, str] = {FOCUS: asked.type}
    for place in _in_order(found):
        below = [types[source] for source in found.before(place) if types.get(source)]
        marked = _marked(" ".join(found.groups[place]), ways, language)
        types[place] = _fitting(marked, below, ways) or _start(found, place, asked, ways)
    return [types[place] for place in range(len(found.groups))]


def _in_order(found: Threads) -> list[int]:
    """The groups so that each comes after those that lead to it; pairs run to a neighbour only."""
    done: list[int] = []
    ahead = list(range(len(found.groups)))
    while ahead:
        ready = [g for g in ahead if all(b in done or b == FOCUS for b in found.before(g))]
        done += ready
        ahead = [g for g in ahead if g not in ready]
    return done


def _marked(words: str, ways: Methodology, language: str) -> str:
    """The highest type of which a cue begins some word; empty if none does."""
    for rung in reversed(ways.ladder):
        cues = rung.cues.get(language.split("-")[0], ())
        if any(re.search(rf"\b{re.escape(cue)}", words, re.IGNORECASE) for cue in cues):
            return rung.id
    return ""


def _fitting(marked: str, below: list[str], ways: Methodology) -> str:
    """The marked type if what leads here may lead to it, else the first rung above that fits."""
    if not below:
        return marked
    above = ways.types[max(ways.types.index(name) for name in below) + 1 :]
    for name in (marked, *above):
        if name and all(ways.allows(LEADS_TO, source, name) for source in below):
            return name
    return ways.types[-1]


def _start(found: Threads, place: int, asked: Question, ways: Methodology) -> str:
    """The type of what nothing leads to: the lowest, or one below the focus if it leads there."""
    if asked.type and (place, FOCUS) in found.pairs:
        return ways.types[max(0, ways.types.index(asked.type) - 1)]
    return ways.types[0]
