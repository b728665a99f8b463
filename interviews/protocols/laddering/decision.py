"""Stages 4 to 6: from what was read in an answer to how the interview continues, by rules."""

from dataclasses import replace

from interviews.choices import RULES
from interviews.engine.guards import names_closed
from interviews.protocols.laddering.context import concept_of, find_strategy
from interviews.protocols.laddering.graph.measures import climb_to, complete_climbs, measure
from interviews.protocols.laddering.graph.states import (
    LastQuestion,
    NodeState,
    States,
    states_after,
)
from interviews.protocols.laddering.graph.types import Change, Graph, GraphEdge, GraphNode
from interviews.protocols.laddering.graph.update import update_graph
from interviews.protocols.laddering.signals.base import detect
from interviews.protocols.laddering.signals.moment import ELEMENT, Moment
from interviews.protocols.laddering.stages import EXTRACT_KEY, ExtractionStage, SelectionStage
from interviews.protocols.laddering.state import Validation
from interviews.protocols.laddering.strategy_choice import choose


def decide(stage: ExtractionStage) -> SelectionStage:
    ctx, methodology = stage.ctx, stage.ctx.material.methodology
    before, position, concept = ctx.state.graph, ctx.received.position, concept_of(ctx)
    graph, change = update_graph(
        before, stage.extraction, stage.turn, position, methodology, concept
    )
    moment = _moment(stage, graph, change)
    detected = detect(moment)
    return SelectionStage(
        **vars(stage),
        change=change,
        moment=moment,
        validation=_validation(stage),
        detected=detected,
        choice=choose(moment, detected, ctx.material.options.mode),
    )


def _moment(stage: ExtractionStage, graph: Graph, change: Change) -> Moment:
    ctx, state, put = stage.ctx, stage.ctx.state, stage.ctx.state.open
    concept, methodology = concept_of(ctx), ctx.material.methodology
    asked = LastQuestion(put.focus, put.strategy, stage.reading.depth) if put.strategy else None
    states = states_after(state.nodes, graph, change, stage.turn, asked)
    is_left = stage.nothing and ctx.reading.intent != "dont_know"
    unchanged = 0 if state.offering else state.unchanged
    return Moment(
        graph,
        measure(graph, concept, methodology),
        {**states, **_closed(stage, graph, change, states)},
        state.talk.asked(put.strategy, put.focus),
        methodology,
        concept,
        stage.reading,
        left=frozenset({put.focus, *change.added} if is_left else ()),
        gentle=stage.gentle,
        unchanged=0 if _brings_something(state.graph, graph, change) else unchanged + 1,
    )


def _validation(stage: ExtractionStage) -> Validation | None:
    """Return the chain that the open question said back, with what the answer says to it."""
    put, methodology = stage.ctx.state.open, stage.ctx.material.methodology
    strategy = find_strategy(methodology, put.strategy)
    if strategy is None or strategy.technique != "validate":
        return None
    graph = stage.ctx.state.graph
    if put.focus not in graph.by_id:
        return None
    chain = complete_climbs(graph, methodology).get(put.focus, ())
    chain = chain or climb_to(graph, methodology, put.focus)
    return Validation(chain=chain, verdict=stage.verdict)


def _closed(stage: ExtractionStage, graph: Graph, change: Change, states: States) -> States:
    """Return the states of what isn't asked about any more.

    Something hard, what it was told of, what they refused to answer, and closed subjects.
    """
    reading, state = stage.ctx.reading, stage.ctx.state
    names = {node.id: node.text for node in graph.nodes}
    names |= {ELEMENT + one.id: one.label for one in concept_of(stage.ctx).elements}
    # rules can't tell what still belongs to something hard
    doubtful = state.hard_told and stage.read_by.get(EXTRACT_KEY) == RULES
    hard = {*change.added} if stage.gentle or doubtful else set()
    asked = {state.open.focus} if stage.gentle or reading.intent == "refuse" else set()
    fresh = NodeState(created=stage.turn, turn=stage.turn)
    return {
        name: replace(states.get(name, fresh), exhausted=True, closed=True)
        for name, text in names.items()
        if name in hard | asked or names_closed(text, state.closed, stage.ctx.language)
    }


def _brings_something(before: Graph, after: Graph, change: Change) -> bool:
    """Return whether there is a new node, a new tie, or an old node about a new element."""
    return bool(change.touched) or any(
        before.by_id[name].elements != after.by_id[name].elements for name in change.merged
    )


def changed_parts(before: Graph, after: Graph) -> tuple[GraphNode | GraphEdge, ...]:
    known = set(before.edges)
    nodes = (node for node in after.nodes if before.by_id.get(node.id) != node)
    return (*nodes, *(edge for edge in after.edges if edge not in known))
