"""Stage 3: what an answer says, and how it says it; two readings side by side.

A model's reading is bounded and made to fit; what the graph can't take is refused where it grows.
Where no model has read, rules do.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, get_args

from interviews.choices import RULES
from interviews.engine.language.statements import one_line
from interviews.engine.result import CallResults, PartialResults, TaskCall
from interviews.protocols.laddering.context import (
    LadderingContext,
    answered,
    concept_of,
    shortened,
    ways_of,
)
from interviews.protocols.laddering.graph.elements import linked
from interviews.protocols.laddering.graph.states import Depth
from interviews.protocols.laddering.graph.types import (
    ExtractedConcept,
    ExtractedRelation,
    Graph,
    GraphExtraction,
    GraphNode,
)
from interviews.protocols.laddering.rules import depth as reading_rules
from interviews.protocols.laddering.rules import extraction as rules
from interviews.protocols.laddering.signals.moment import AnswerReading
from interviews.protocols.laddering.stages import ExtractionStage, LoadedStage, onward
from interviews.protocols.laddering.state import LadderingState
from interviews.protocols.laddering.tasks import (
    EXTRACT,
    SIGNALS,
    AnswerSignalsResult,
    ElementNames,
    ExtractedLines,
    KnownConcept,
    LadderingExtractInput,
    RelationDescription,
    RungDescription,
    SignalsInput,
    word,
)
from llm.tasks.outcome import Outcome, Source
from plans.protocols.laddering.schema.concept import Concept
from plans.protocols.laddering.schema.methodology import Methodology

FOUND, HEARD = "extract", "signals"
MOST_CONCEPTS, MOST_RELATIONS = 20, 30  # of one answer
MOST_KNOWN = 40  # earlier nodes that a model is told
LONGEST = 160  # characters of a node
SEPARATOR = "|"


# -- what models are asked


def inquiries(ctx: LadderingContext, results: CallResults) -> tuple[TaskCall, ...]:
    """Those of the two readings that are not there yet."""
    return tuple(one for one in (_extract(ctx), _signals(ctx)) if one.key not in results)


def _extract(ctx: LadderingContext) -> TaskCall:
    ways, about = ways_of(ctx), answered(ctx)
    data = LadderingExtractInput(
        language=ctx.language,
        topic=concept_of(ctx).context.topic,
        ladder=rungs(ways),
        relations=_ties(ways),
        elements=parts(concept_of(ctx)),
        known=[KnownConcept(id=n.id, text=n.text, type=n.type) for n in _recent(ctx.state)],
        focus=about.text,
        question=ctx.state.open.text,
        answer=ctx.answer,
    )
    return TaskCall(FOUND, EXTRACT, data)


def _signals(ctx: LadderingContext) -> TaskCall:
    data = SignalsInput(
        topic=concept_of(ctx).context.topic,
        elements=parts(concept_of(ctx)),
        question=ctx.state.open.text,
        answer=ctx.answer,
    )
    return TaskCall(HEARD, SIGNALS, data)


def rungs(ways: Methodology) -> list[RungDescription]:
    """The ladder as prompts tell it."""
    return [RungDescription(type=one.id, name=one.name, meaning=one.meaning) for one in ways.ladder]


def parts(concept: Concept) -> list[ElementNames]:
    """The elements as prompts tell them."""
    return [ElementNames(id=one.id, names=list(one.names)) for one in concept.elements]


def _ties(ways: Methodology) -> list[RelationDescription]:
    return [
        RelationDescription(
            relation=one.id,
            meaning=one.meaning,
            between=[f"{pair.source} -> {', '.join(pair.targets)}" for pair in one.between],
        )
        for one in ways.relations
    ]


def _recent(state: LadderingState) -> list[GraphNode]:
    """The focus and the nodes that were spoken of last, in the order in which they came up."""
    latest = sorted(state.graph.nodes, key=lambda node: node.positions[-1])[-MOST_KNOWN:]
    kept = {state.open.focus, *(node.id for node in latest)}
    return [node for node in state.graph.nodes if node.id in kept]


# -- what is made of their replies


def depth_of(results: CallResults, partials: PartialResults) -> Depth | None:
    """How much the answer gives, from the first letter of it that a model writes; None before, and
    where rules read."""
    whole = results.get(HEARD)
    if whole is not None:
        return None if whole.source is Source.FALLBACK else whole.value.depth
    begun = word(str(partials.get(HEARD, {}).get("depth") or ""))
    return next((one for one in get_args(Depth) if begun and one.startswith(begun)), None)


def guessed_depth(ctx: LadderingContext) -> Depth:
    """How much the answer gives, by rules: what a question may be begun with until a model says."""
    return reading_rules.depth(ctx.answer, ctx.language)


def read(
    context: LoadedStage, found: Outcome[ExtractedLines], heard: Outcome[AnswerSignalsResult]
) -> ExtractionStage:
    """The stage, once both readings are there."""
    extraction, left_out = _extraction(context.ctx, found)
    return onward(
        context,
        ExtractionStage,
        extraction=extraction,
        reading=_reading(context.ctx, heard),
        nothing=False,
        read_by={FOUND: _by(found), HEARD: _by(heard)},
        left_out=left_out,
    )


def nothing_read(context: LoadedStage) -> ExtractionStage:
    """The stage for what tells nothing: a shallow answer, which no model has to read."""
    return onward(
        context,
        ExtractionStage,
        extraction=GraphExtraction(),
        reading=AnswerReading("shallow"),
        nothing=True,
        read_by={FOUND: RULES, HEARD: RULES},
        left_out=0,
    )


def _by(outcome: Outcome[Any]) -> str:
    return RULES if outcome.source is Source.FALLBACK else str(outcome.source)


def _reading(ctx: LadderingContext, outcome: Outcome[AnswerSignalsResult]) -> AnswerReading:
    concept, heard = concept_of(ctx), outcome.value
    if outcome.source is Source.FALLBACK:
        return reading_rules.read(ctx.answer, concept, ctx.language)
    topics = tuple(one.id for one in concept.elements if one.id in heard.topics)
    return AnswerReading(heard.depth, heard.sentiment, topics)


def _extraction(
    ctx: LadderingContext, outcome: Outcome[ExtractedLines]
) -> tuple[GraphExtraction, int]:
    """What was found, and how much of it was beyond the bounds."""
    ways, concept = ways_of(ctx), concept_of(ctx)
    if outcome.source is Source.FALLBACK:
        return rules.extract(ctx.answer, answered(ctx), ways, concept, ctx.language), 0
    found, graph = outcome.value, ctx.state.graph
    concepts = [_concept(one, ways, graph) for one in found.concepts[:MOST_CONCEPTS]]
    called = _called(concepts, graph)
    relations = [_relation(one, ways, called) for one in found.relations[:MOST_RELATIONS]]
    beyond = len(found.concepts) + len(found.relations) - len(concepts) - len(relations)
    return GraphExtraction(_about_focus(ctx, concepts), tuple(relations)), beyond


def _concept(line: str, ways: Methodology, graph: Graph) -> ExtractedConcept:
    text, kind, about = _fields(line)
    elements = tuple(one.strip() for one in about.split(",") if one.strip())
    known = graph.by_id.get(text)
    if known is not None:
        return ExtractedConcept(known.text, known.type, elements)
    return ExtractedConcept(text, _type(kind, ways), elements)


def _fields(line: str) -> tuple[str, str, str]:
    """The three parts of a line; what is missing is empty."""
    first, second, third = [*line.split(SEPARATOR, 2), "", ""][:3]
    return _text(first), _text(second), _text(third)


def _called(concepts: list[ExtractedConcept], graph: Graph) -> dict[str, str]:
    """What relations may call things by, with the things' words."""
    numbers = {str(number): one.text for number, one in enumerate(concepts, start=1)}
    return {node.id: node.text for node in graph.nodes} | numbers


def _relation(line: str, ways: Methodology, called: Mapping[str, str]) -> ExtractedRelation:
    source, relation, target = _fields(line)
    name = _one_of(relation, {one.id: one.id for one in ways.relations})
    return ExtractedRelation(called.get(source, source), called.get(target, target), name)


def _text(text: str) -> str:
    """As it can be kept: one line, nothing unfit, of a bounded length."""
    return shortened(one_line(text), LONGEST)


def _type(name: str, ways: Methodology) -> str:
    """The id of the type that is meant; what is no type stays, shortened, and is refused."""
    by_name = {one.name.casefold(): one.id for one in ways.ladder}
    return _one_of(name, by_name | {one: one for one in ways.types})


def _one_of(name: str, known: dict[str, str]) -> str:
    plain = one_line(name).casefold()
    return known.get(plain) or known.get(plain.replace(" ", "_").replace("-", "_")) or _text(name)


def _about_focus(
    ctx: LadderingContext, concepts: list[ExtractedConcept]
) -> tuple[ExtractedConcept, ...]:
    """Asked about an element, people seldom name it: what they say first is about it, unless it
    is about another one."""
    asked, elements = answered(ctx), concept_of(ctx).elements
    if asked.type or not asked.elements or not concepts:
        return tuple(concepts)
    spoken_of = {e for one in concepts for e in (*one.elements, *linked(one.text, elements))}
    first = concepts[0]
    if spoken_of & set(asked.elements) or first.elements or linked(first.text, elements):
        return tuple(concepts)
    return (replace(first, elements=asked.elements), *concepts[1:])
