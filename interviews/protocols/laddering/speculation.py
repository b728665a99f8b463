"""Stages 3 to 6 before the answer is read, so that its question is begun while models still read.

What is known by then: the graph as it was, the person's words, and how much they give, which is the
first thing that a model writes of them. The graph at hand is made of that: the graph as it was,
with what was just said as one node of it. The choice is made over it as over any other graph, and
stays; what is kept of the answer is what the readings come to.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from interviews.protocols.laddering.context import (
    LadderingContext,
    answered,
    concept_of,
    shortened,
    ways_of,
)
from interviews.protocols.laddering.decision import (
    graph_update,
    may_end,
    selection,
    state_computation,
)
from interviews.protocols.laddering.extraction import LONGEST, nothing_read
from interviews.protocols.laddering.graph.states import Depth
from interviews.protocols.laddering.graph.types import (
    ExtractedConcept,
    ExtractedRelation,
    GraphExtraction,
)
from interviews.protocols.laddering.rules.depth import read as read_by_rules
from interviews.protocols.laddering.rules.extraction import Question
from interviews.protocols.laddering.rules.threads import TOWARD
from interviews.protocols.laddering.signals.moment import JUST_SAID, AnswerReading
from interviews.protocols.laddering.stages import (
    ExtractionStage,
    LoadedStage,
    SelectionStage,
    onward,
)
from plans.protocols.laddering.schema.methodology import Methodology


@dataclass(frozen=True)
class _GraphPosition:
    """Where what was just said stands: its type, and how it is tied to the focus."""

    type: str
    relation: str = ""  # empty: to nothing
    below: bool = False  # it leads to the focus, and not the focus to it


def foreseen(loaded: LoadedStage, depth: Depth) -> SelectionStage | None:
    """How to go on after an answer that gives so much; None where its readings may end the talk."""
    if may_end(state_computation(graph_update(nothing_read(loaded)))):
        return None
    grown = graph_update(_read(loaded, depth), lambda _: JUST_SAID)
    return replace(selection(state_computation(grown)), at_hand=True)


def _read(loaded: LoadedStage, depth: Depth) -> ExtractionStage:
    """What can be told of the answer at once; tone and elements by rules."""
    ctx = loaded.ctx
    reading = replace(read_by_rules(ctx.answer, concept_of(ctx), ctx.language), depth=depth)
    return onward(
        loaded,
        ExtractionStage,
        extraction=_just_said(ctx, reading),
        reading=reading,
        nothing=False,
        read_by={},
        left_out=0,
    )


def _just_said(ctx: LadderingContext, reading: AnswerReading) -> GraphExtraction:
    """The answer as one concept. A shallow one that names no element brings nothing."""
    asked = answered(ctx)
    place = _place(asked, ways_of(ctx))
    if place is None or (reading.depth == "shallow" and not reading.topics):
        return GraphExtraction()
    text = shortened(" ".join(ctx.answer.split()), LONGEST)
    said = ExtractedConcept(text, place.type, reading.topics or asked.elements)
    ends = (text, asked.text) if place.below else (asked.text, text)
    tie = ExtractedRelation(*ends, place.relation)
    return GraphExtraction((said,), (tie,) if place.relation else ())


def _place(asked: Question, ways: Methodology) -> _GraphPosition | None:
    """The nearest rung in the direction of the question to which a relation leads; without a node
    in focus the lowest one. None at the ladder's end: who stands there says it in other words."""
    if not asked.type:
        return _GraphPosition(ways.types[0])
    rung, toward = ways.types.index(asked.type), TOWARD.get(asked.technique)
    if toward == "down":
        lower = (*reversed(ways.types[:rung]), asked.type)
        return _first(_GraphPosition(one, _tie(ways, one, asked.type), below=True) for one in lower)
    upper = ways.types[rung + 1 if toward == "up" else rung :]
    return _first(_GraphPosition(one, _tie(ways, asked.type, one)) for one in upper)


def _first(places: Iterable[_GraphPosition]) -> _GraphPosition | None:
    return next((place for place in places if place.relation), None)


def _tie(ways: Methodology, source: str, target: str) -> str:
    """The first relation that may lead from one type to the other; empty without any."""
    return next((one.id for one in ways.relations if one.allows(source, target)), "")
