"""Stages 4 to 6: from what was read in an answer to how the interview continues, by rules."""

from dataclasses import replace

from interviews.choices import RULES
from interviews.engine.guards import names_closed
from interviews.protocols.laddering.context import concept_of
from interviews.protocols.laddering.graph.measures import measure
from interviews.protocols.laddering.graph.states import (
    LastQuestion,
    NodeState,
    States,
    states_after,
)
from interviews.protocols.laddering.graph.types import Change, Graph, GraphEdge, GraphNode
from interviews.protocols.laddering.graph.update import update_graph
from interviews.protocols.laddering.signals.detection import detect
from interviews.protocols.laddering.signals.moment import ELEMENT, Moment
from interviews.protocols.laddering.stages import (
    EXTRACT_KEY,
    ComputationStage,
    ExtractionStage,
    SelectionStage,
    advance,
)
from interviews.protocols.laddering.strategy_choice.choice import choose


def decide(stage: ExtractionStage, early: SelectionStage | None = None) -> SelectionStage:
    """Go through the stages; a choice made before the answer was read stays as it is."""
    computed = compute(stage)
    if early is None:
        return select(computed)
    chosen = {"moment": early.moment, "detected": early.detected, "choice": early.choice}
    return advance(computed, SelectionStage, **chosen, at_hand=True)


def compute(stage: ExtractionStage, id_format: str = "n{}") -> ComputationStage:
    ctx, put, turn = stage.ctx, stage.ctx.state.open, stage.turn
    concept, methodology = concept_of(ctx), ctx.material.methodology
    before, position = ctx.state.graph, ctx.received.position
    graph, change = update_graph(
        before, stage.extraction, turn, position, methodology, concept, id_format
    )
    asked = LastQuestion(put.focus, put.strategy, stage.reading.depth) if put.strategy else None
    talk = ctx.state.talk.asked(put.strategy, put.focus)
    states = states_after(ctx.state.nodes, graph, change, turn, asked)
    return advance(
        stage,
        ComputationStage,
        graph=graph,
        change=change,
        states={**states, **_closed(stage, graph, change, states)},
        metrics=measure(graph, concept, methodology, talk.turn),
        talk=talk,
        unchanged=0 if _brings_something(before, graph, change) else ctx.state.unchanged + 1,
    )


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


def select(stage: ComputationStage) -> SelectionStage:
    moment = Moment(
        stage.graph,
        stage.metrics,
        stage.states,
        stage.talk,
        stage.ctx.material.methodology,
        concept_of(stage.ctx),
        stage.reading,
        left=stage.ctx.state.open.focus if _is_left(stage) else "",
        gentle=stage.gentle,
    )
    detected = detect(moment)
    choice = choose(moment, detected, stage.ctx.material.options.mode)
    return advance(stage, SelectionStage, moment=moment, detected=detected, choice=choice)


def _is_left(stage: ExtractionStage) -> bool:
    return stage.nothing and stage.ctx.reading.intent != "dont_know"


def may_end(least: ComputationStage) -> bool:
    """Return whether some reading of the answer ends the interview.

    `least` is the stage after an answer that brings nothing. No answer leaves the graph unchanged
    for longer, or more of its nodes exhausted, than that one. But what is said again may cover
    elements that are not exhausted, so those count only where there is no node yet.
    """
    if least.talk.turn >= least.talk.limit or least.all_covered:
        return True
    elements = [ELEMENT + one.id for one in concept_of(least.ctx).elements]
    nodes = list(least.graph.by_id)
    names = [*nodes, *elements] if least.gentle else nodes or elements  # elements come next then
    return all(name in least.states and least.states[name].exhausted for name in names)


def changed_parts(before: Graph, after: Graph) -> tuple[GraphNode | GraphEdge, ...]:
    known = set(before.edges)
    nodes = (node for node in after.nodes if before.by_id.get(node.id) != node)
    return (*nodes, *(edge for edge in after.edges if edge not in known))
