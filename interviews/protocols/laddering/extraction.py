"""Stage 3: what an answer says, and how it says it; two calls side by side.

A model's reply is bounded and made to fit; what the graph can't take is refused when it is updated.
Where no model has read, rules do.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, get_args

from interviews.choices import RULES
from interviews.engine.language.statements import one_line
from interviews.engine.reading import lowercase
from interviews.engine.replies import as_asked
from interviews.engine.result import CallResults, PartialResults, TaskCall
from interviews.protocols.laddering.context import LadderingContext, concept_of, open_question
from interviews.protocols.laddering.graph.similarity import find_elements
from interviews.protocols.laddering.graph.states import Depth
from interviews.protocols.laddering.graph.types import (
    ExtractedConcept,
    ExtractedRelation,
    Graph,
    GraphExtraction,
    GraphNode,
)
from interviews.protocols.laddering.graph.update import CONTRADICTS
from interviews.protocols.laddering.rules import extraction as rules
from interviews.protocols.laddering.signals.moment import WAYS, AnswerSignals
from interviews.protocols.laddering.stages import EXTRACT_KEY, SIGNALS_KEY, ExtractionStage
from interviews.protocols.laddering.state import LadderingState, Verdict
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
)
from llm.tasks.outcome import Outcome, Source
from plans.protocols.laddering.schema.methodology import Methodology
from plans.text import shorten

MOST_CONCEPTS, MOST_RELATIONS = 20, 30  # of one answer
MOST_KNOWN = 40  # earlier nodes that a model is told
LONGEST = 160  # characters of a node
SEPARATOR = "|"
REPLIES: dict[str, Verdict] = {"yes": "confirmed", "no": "denied"}  # to a chain said back


# -- calls


def missing_calls(ctx: LadderingContext, results: CallResults) -> tuple[TaskCall, ...]:
    calls = (extract_call(ctx), _signals_call(ctx))
    return tuple(call for call in calls if call.key not in results)


def extract_call(ctx: LadderingContext) -> TaskCall:
    """Return the call that says what an answer is, and what it adds to the graph."""
    concept, methodology = concept_of(ctx), ctx.material.methodology
    data = LadderingExtractInput(
        language=ctx.language,
        topic=concept.context.topic,
        ladder=describe_ladder(methodology),
        relations=_describe_relations(methodology),
        upward=methodology.upward,
        elements=_describe_elements(ctx),
        known=[KnownConcept(id=n.id, text=n.text, type=n.type) for n in _recent(ctx.state)],
        focus=open_question(ctx).text,
        question=as_asked(ctx, _as_put(ctx)),
        answer=ctx.answer,
    )
    return TaskCall(EXTRACT_KEY, EXTRACT, data)


def _signals_call(ctx: LadderingContext) -> TaskCall:
    data = SignalsInput(
        language=ctx.language,
        topic=concept_of(ctx).context.topic,
        elements=_describe_elements(ctx),
        question=_as_put(ctx),
        answer=ctx.answer,
    )
    return TaskCall(SIGNALS_KEY, SIGNALS, data)


def _as_put(ctx: LadderingContext) -> str:
    return ctx.state.reworded or ctx.state.open.text


def _describe_elements(ctx: LadderingContext) -> list[ElementNames]:
    return [ElementNames(id=e.id, names=list(e.names)) for e in concept_of(ctx).elements]


def describe_ladder(methodology: Methodology) -> list[RungDescription]:
    ladder = methodology.ladder
    return [RungDescription(type=one.id, name=one.name, meaning=one.meaning) for one in ladder]


def _describe_relations(methodology: Methodology) -> list[RelationDescription]:
    return [
        RelationDescription(
            relation=one.id,
            meaning=one.meaning,
            between=[f"{pair.source} -> {', '.join(pair.targets)}" for pair in one.between],
        )
        for one in methodology.relations
    ]


def _recent(state: LadderingState) -> list[GraphNode]:
    latest = sorted(state.graph.nodes, key=lambda node: node.positions[-1])[-MOST_KNOWN:]
    kept = {state.open.focus, *(node.id for node in latest)}
    return [node for node in state.graph.nodes if node.id in kept]


# -- replies


def depth_of(results: CallResults, partials: PartialResults) -> Depth | None:
    """Return how much the answer gives, from the first letter of it that a model writes.

    None before that, and where rules read.
    """
    result = results.get(SIGNALS_KEY)
    if result is not None:
        return result.value.depth if result.by_model else None
    begun = lowercase(str(partials.get(SIGNALS_KEY, {}).get("depth") or ""))
    return next((one for one in get_args(Depth) if begun and one.startswith(begun)), None)


def read(
    ctx: LadderingContext,
    found: Outcome[ExtractedLines] | None,
    signals: Outcome[AnswerSignalsResult] | None,
) -> ExtractionStage:
    """Read an answer; without `signals` what is none, of which what a model found is kept."""
    extraction, left_out = _extraction(ctx, found) if found else (GraphExtraction(), 0)
    reading = _signals(ctx, found, signals) if found and signals else None
    return ExtractionStage(
        ctx=ctx,
        extraction=extraction,
        reading=reading or AnswerSignals("shallow"),
        nothing=reading is None,
        read_by={EXTRACT_KEY: _read_by(found), SIGNALS_KEY: _read_by(signals)},
        verdict=_verdict(ctx, found) if found and reading else "unclear",
        left_out=left_out,
    )


def _verdict(ctx: LadderingContext, found: Outcome[ExtractedLines]) -> Verdict:
    said = found.value.relations if found.by_model else [ctx.reading.reply]
    verdicts = [verdict for reply, verdict in REPLIES.items() if reply in map(lowercase, said)]
    return verdicts[0] if len(verdicts) == 1 else "unclear"


def read_first(ctx: LadderingContext, concepts: Sequence[str], depth: Depth) -> ExtractionStage:
    """Read the answer as its first concepts, as if they and the focus led to each other."""
    asked, upward = open_question(ctx), ctx.material.methodology.upward
    way, ties = WAYS.get(asked.technique), [f"2 | {upward} | 1"][: len(concepts) - 1]
    if asked.type and way in ("up", "down"):
        ends = (ctx.state.open.focus, "1") if way == "up" else ("1", ctx.state.open.focus)
        ties += [f"{ends[0]} | {upward} | {ends[1]}"]
    lines = ExtractedLines(concepts=list(concepts), relations=ties)
    extraction, _ = _extraction(ctx, Outcome(lines, Source.MODEL))
    return ExtractionStage(ctx=ctx, extraction=extraction, reading=AnswerSignals(depth))


def _read_by(outcome: Outcome[Any] | None) -> str:
    if outcome is None or not outcome.by_model:
        return RULES
    return str(outcome.source)


def _signals(
    ctx: LadderingContext, found: Outcome[ExtractedLines], signals: Outcome[AnswerSignalsResult]
) -> AnswerSignals:
    """Return how the answer is. Rules judge it only where there is no model at all."""
    concept, result = concept_of(ctx), signals.value
    if not signals.by_model:
        by_rules = rules.read(ctx.answer, concept, ctx.language)
        return replace(by_rules, depth=None, sentiment=None) if found.by_model else by_rules
    topics = tuple(one.id for one in concept.elements if one.id in result.topics)
    return AnswerSignals(result.depth, result.sentiment, topics)


def _extraction(
    ctx: LadderingContext, outcome: Outcome[ExtractedLines]
) -> tuple[GraphExtraction, int]:
    """Return what was found, and how much of it was beyond the bounds."""
    methodology, graph, found = ctx.material.methodology, ctx.state.graph, outcome.value
    told = [one for one in found.relations if lowercase(one) not in REPLIES]
    if not outcome.by_model:
        asked, concept = open_question(ctx), concept_of(ctx)
        return rules.extract(ctx.answer, asked, methodology, concept, ctx.language), 0
    concepts = [_concept(one, methodology, graph) for one in found.concepts[:MOST_CONCEPTS]]
    texts = {node.id: node.text for node in graph.nodes}  # by what relations may call them
    texts |= {str(number): one.text for number, one in enumerate(concepts, start=1)}
    relations = [_relation(one, methodology, texts) for one in told[:MOST_RELATIONS]]
    beyond = len(found.concepts) + len(told) - len(concepts) - len(relations)
    return GraphExtraction(_link_to_focus(ctx, concepts), tuple(relations)), beyond


def _concept(line: str, methodology: Methodology, graph: Graph) -> ExtractedConcept:
    text, kind, about = _fields(line)
    elements = tuple(one.strip() for one in about.split(",") if one.strip())
    known = graph.by_id.get(text)
    if known is not None:
        return ExtractedConcept(known.text, known.type, elements)
    types = {one.name.casefold(): one.id for one in methodology.ladder}
    types |= {one: one for one in methodology.types}
    types |= {str(rung): one for rung, one in enumerate(methodology.types, start=1)}
    return ExtractedConcept(text, _match(kind, types), elements)


def _relation(line: str, methodology: Methodology, texts: Mapping[str, str]) -> ExtractedRelation:
    source, relation, target = _fields(line)
    if not target:
        relation, target = methodology.upward, relation
    names = (*(one.id for one in methodology.relations), CONTRADICTS)
    name = _match(relation, {one: one for one in names})
    return ExtractedRelation(texts.get(source, source), texts.get(target, target), name)


def _fields(line: str) -> tuple[str, str, str]:
    first, second, third = [*line.split(SEPARATOR, 2), "", ""][:3]
    return _bounded(first), _bounded(second), _bounded(third)


def _bounded(text: str) -> str:
    return shorten(one_line(text), LONGEST)


def _match(name: str, ids: dict[str, str]) -> str:
    """Return the id that is meant; what is none stays as it is, and is refused later."""
    plain = one_line(name).casefold()
    return ids.get(plain) or ids.get(plain.replace(" ", "_").replace("-", "_")) or _bounded(name)


def _link_to_focus(
    ctx: LadderingContext, concepts: list[ExtractedConcept]
) -> tuple[ExtractedConcept, ...]:
    """Link the first concept to the element that was asked about, unless another one is named.

    Asked about an element, people seldom name it.
    """
    asked, elements = open_question(ctx), concept_of(ctx).elements
    if asked.type or not asked.elements or not concepts:
        return tuple(concepts)
    mentioned = [{*one.elements, *find_elements(one.text, elements)} for one in concepts]
    if mentioned[0] or set().union(*mentioned) & set(asked.elements):
        return tuple(concepts)
    return (replace(concepts[0], elements=asked.elements), *concepts[1:])
