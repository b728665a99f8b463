"""Stages 3 to 6 before the answer is read, so that its question is begun while models still read.

What is known by then: the graph as it was, the person's words, and how much they give, which is the
first thing that a model writes of them. The provisional graph is the graph as it was, with what was
just said as one node. The choice is made over it as over any other graph, and stays; what is stored
of the answer comes from the calls that read it.
"""

from dataclasses import replace

from interviews.protocols.laddering.context import (
    LadderingContext,
    concept_of,
    open_question,
    shorten,
)
from interviews.protocols.laddering.decision import compute, may_end, select
from interviews.protocols.laddering.extraction import LONGEST, read_nothing
from interviews.protocols.laddering.graph.states import Depth
from interviews.protocols.laddering.graph.types import (
    ExtractedConcept,
    ExtractedRelation,
    GraphExtraction,
)
from interviews.protocols.laddering.rules.depth import read as read_by_rules
from interviews.protocols.laddering.rules.extraction import Question
from interviews.protocols.laddering.rules.threads import TOWARD
from interviews.protocols.laddering.signals.moment import JUST_SAID, AnswerSignals
from interviews.protocols.laddering.stages import (
    ExtractionStage,
    LoadedStage,
    SelectionStage,
    advance,
)
from plans.protocols.laddering.schema.methodology import Methodology


def speculate(loaded: LoadedStage, depth: Depth) -> SelectionStage | None:
    """Choose how to continue after an answer that gives so much; None where it may be the last."""
    if may_end(compute(read_nothing(loaded))):
        return None
    ctx = loaded.ctx
    reading = replace(read_by_rules(ctx.answer, concept_of(ctx), ctx.language), depth=depth)
    extraction = _just_said(ctx, reading)
    read = advance(loaded, ExtractionStage, extraction=extraction, reading=reading)
    return replace(select(compute(read, id_format=JUST_SAID)), at_hand=True)


def _just_said(ctx: LadderingContext, reading: AnswerSignals) -> GraphExtraction:
    """Return the answer as one concept. A shallow one that names no element brings nothing."""
    asked, methodology = open_question(ctx), ctx.material.methodology
    place = _place(asked, methodology)
    if place is None or (reading.depth == "shallow" and not reading.topics):
        return GraphExtraction()
    kind, relation = place
    text = shorten(" ".join(ctx.answer.split()), LONGEST)
    said = ExtractedConcept(text, kind, reading.topics or asked.elements)
    if not relation:
        return GraphExtraction((said,))
    down = TOWARD.get(asked.technique) == "down"
    ends = (text, asked.text) if down else (asked.text, text)
    return GraphExtraction((said,), (ExtractedRelation(*ends, relation),))


def _place(asked: Question, methodology: Methodology) -> tuple[str, str] | None:
    """Return the type of what was just said, and its relation to the focus; "" for none.

    The nearest rung in the direction of the question to which a relation leads; without a node in
    focus the lowest one. None at the ladder's end, where an answer only says it in other words.
    """
    types = methodology.types
    if not asked.type:
        return types[0], ""
    rung, toward = types.index(asked.type), TOWARD.get(asked.technique)
    if toward == "down":
        pairs = [(kind, kind, asked.type) for kind in (*reversed(types[:rung]), asked.type)]
    else:
        upper = types[rung + 1 if toward == "up" else rung :]
        pairs = [(kind, asked.type, kind) for kind in upper]
    places = (
        (kind, relation.id)
        for kind, source, target in pairs
        for relation in methodology.relations
        if relation.allows(source, target)
    )
    return next(places, None)
