"""Stages 4 to 7: from what was read to how it goes on. No model has a part in them."""

from interviews.protocols.laddering.context import concept_of, ways_of
from interviews.protocols.laddering.graph.measures import measured
from interviews.protocols.laddering.graph.states import LastQuestion, states_after
from interviews.protocols.laddering.graph.types import Graph, GraphEdge, GraphNode
from interviews.protocols.laddering.graph.update import Naming, numbered, updated
from interviews.protocols.laddering.signals.detection import detect
from interviews.protocols.laddering.signals.moment import ELEMENT, Moment
from interviews.protocols.laddering.stages import (
    ComputationStage,
    ContinuationStage,
    End,
    ExtractionStage,
    GraphStage,
    SelectionStage,
    onward,
)
from interviews.protocols.laddering.strategy_choice.choice import choose

STALE = 3  # answers in a row that change nothing, from which a covered concept is done


def decided(context: ExtractionStage, foreseen: SelectionStage | None = None) -> ContinuationStage:
    """All four stages; a choice that was made before the answer was read stays."""
    computed = state_computation(graph_update(context))
    chosen = selection(computed) if foreseen is None else _kept(computed, foreseen)
    return continuation(chosen)


def graph_update(context: ExtractionStage, naming: Naming = numbered) -> GraphStage:
    """Stage 4: what was said again is merged, what is new is added."""
    ctx = context.ctx
    graph, change = updated(
        ctx.state.graph,
        context.extraction,
        context.turn,
        ctx.received.position,
        ways_of(ctx),
        concept_of(ctx),
        naming,
    )
    return onward(context, GraphStage, graph=graph, change=change)


def state_computation(context: GraphStage) -> ComputationStage:
    """Stage 5: nodes' states, the graph in figures, and how long nothing has changed."""
    ctx, put = context.ctx, context.ctx.state.open
    asked = LastQuestion(put.focus, put.strategy, context.reading.depth) if put.strategy else None
    talk = ctx.state.talk.asked(put.strategy, put.focus)
    return onward(
        context,
        ComputationStage,
        states=states_after(ctx.state.nodes, context.graph, context.change, context.turn, asked),
        metrics=measured(context.graph, concept_of(ctx), ways_of(ctx), talk.turn),
        talk=talk,
        unchanged=ctx.state.unchanged + 1 if _as_it_was(context) else 0,
    )


def _as_it_was(context: GraphStage) -> bool:
    """Whether the answer brought nothing: no node, no tie, no element to what was said again."""
    before, after = context.ctx.state.graph.by_id, context.graph.by_id
    again = context.change.merged
    told = any(before[name].elements != after[name].elements for name in again)
    return not context.change.touched and not told


def selection(context: ComputationStage) -> SelectionStage:
    """Stage 6: signals, then strategy and focus in one choice."""
    moment = Moment(
        context.graph,
        context.metrics,
        context.states,
        context.talk,
        ways_of(context.ctx),
        concept_of(context.ctx),
        context.reading,
    )
    detected = detect(moment)
    mode = context.ctx.material.options.mode
    return onward(
        context,
        SelectionStage,
        moment=moment,
        detected=detected,
        choice=choose(moment, detected, mode),
        at_hand=False,
    )


def _kept(context: ComputationStage, foreseen: SelectionStage) -> SelectionStage:
    return onward(
        context,
        SelectionStage,
        moment=foreseen.moment,
        detected=foreseen.detected,
        choice=foreseen.choice,
        at_hand=True,
    )


def continuation(context: SelectionStage) -> ContinuationStage:
    """Stage 7: a wish to stop never comes this far."""
    return onward(context, ContinuationStage, ends=_ends(context))


def _ends(context: SelectionStage) -> End:
    if context.talk.turn >= context.talk.limit:
        return "turn_limit"
    if _done(context):
        return "all_covered"
    if _nothing_left(context):
        return "all_exhausted"
    return ""


def _done(context: ComputationStage) -> bool:
    """Whether all elements are covered and nothing new comes up."""
    return not context.metrics.uncovered and context.unchanged >= STALE


def _nothing_left(context: SelectionStage) -> bool:
    """Whether every node is exhausted; elements that nobody spoke of stand among the nodes."""
    candidates = context.moment.candidates
    return bool(candidates) and all(one.state.exhausted for one in candidates)


def may_end(least: ComputationStage) -> bool:
    """Whether some reading of the answer ends the talk. `least` is the talk after an answer that
    brings nothing.

    No answer leaves the graph unchanged for longer, or more of its nodes exhausted, than that one.
    But what is said again may cover elements that are not exhausted, so those count only where
    there is no node yet.
    """
    if least.talk.turn >= least.talk.limit or _done(least):
        return True
    elements = [ELEMENT + one.id for one in concept_of(least.ctx).elements]
    names = list(least.graph.by_id) or elements
    return all(name in least.states and least.states[name].exhausted for name in names)


def changed(before: Graph, after: Graph) -> tuple[GraphNode | GraphEdge, ...]:
    """Nodes and edges that are new or have changed."""
    known = set(before.edges)
    nodes = (node for node in after.nodes if before.by_id.get(node.id) != node)
    return (*nodes, *(edge for edge in after.edges if edge not in known))
