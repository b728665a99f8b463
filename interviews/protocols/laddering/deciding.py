"""Stages 4 to 7: from what was read to how it goes on. No model has a part in them."""

from interviews.engine.types import GraphEdge, GraphNode
from interviews.protocols.laddering.choosing.choosing import choose
from interviews.protocols.laddering.context import (
    Chosen,
    Computed,
    Continued,
    End,
    Grown,
    Read,
    onward,
)
from interviews.protocols.laddering.graph.growing import updated
from interviews.protocols.laddering.graph.measures import measured
from interviews.protocols.laddering.graph.states import Asked, states_after
from interviews.protocols.laddering.graph.types import Graph
from interviews.protocols.laddering.here import concept_of, ways_of
from interviews.protocols.laddering.signals.detecting import detect
from interviews.protocols.laddering.signals.moment import Moment

STALE = 3  # answers in a row that change nothing, from which a covered concept is done


def decided(context: Read) -> Continued:
    """All four stages."""
    return continuation(selection(state_computation(graph_update(context))))


def graph_update(context: Read) -> Grown:
    """Stage 4: what was said again is merged, what is new is added."""
    now = context.now
    graph, change = updated(
        now.state.graph,
        context.extraction,
        context.turn,
        now.received.position,
        ways_of(now),
        concept_of(now),
    )
    return onward(context, Grown, graph=graph, change=change)


def state_computation(context: Grown) -> Computed:
    """Stage 5: nodes' states, the graph in figures, and how long nothing has changed."""
    now, put = context.now, context.now.state.open
    asked = Asked(put.focus, put.strategy, context.reading.depth) if put.strategy else None
    talk = now.state.talk.asked(put.strategy, put.focus)
    return onward(
        context,
        Computed,
        states=states_after(now.state.nodes, context.graph, context.change, context.turn, asked),
        metrics=measured(context.graph, concept_of(now), ways_of(now), talk.turn),
        talk=talk,
        unchanged=0 if context.change.touched else now.state.unchanged + 1,
    )


def selection(context: Computed) -> Chosen:
    """Stage 6: signals, then strategy and focus in one choice."""
    moment = Moment(
        context.graph,
        context.metrics,
        context.states,
        context.talk,
        ways_of(context.now),
        concept_of(context.now),
        context.reading,
    )
    detected = detect(moment)
    mode = context.now.material.options.mode
    return onward(
        context,
        Chosen,
        moment=moment,
        detected=detected,
        choice=choose(moment, detected, mode),
    )


def continuation(context: Chosen) -> Continued:
    """Stage 7: a wish to stop never comes this far."""
    return onward(context, Continued, ends=_ends(context))


def _ends(context: Chosen) -> End:
    if context.talk.turn >= context.talk.limit:
        return "turn_limit"
    if not context.metrics.uncovered and context.unchanged >= STALE:
        return "all_covered"
    if _nothing_left(context):
        return "all_exhausted"
    return ""


def _nothing_left(context: Chosen) -> bool:
    """Whether every node is exhausted; elements that nobody spoke of stand among the nodes."""
    candidates = context.moment.candidates
    return bool(candidates) and all(one.state.exhausted for one in candidates)


def new_nodes(before: Graph, after: Graph) -> tuple[GraphNode, ...]:
    """Those that are new or have changed, as rows are made of them."""
    changed = (node for node in after.nodes if before.by_id.get(node.id) != node)
    return tuple(
        GraphNode(n.id, n.text, n.type, n.positions, n.created, n.elements) for n in changed
    )


def new_edges(before: Graph, after: Graph) -> tuple[GraphEdge, ...]:
    """Those that are new or have changed, as rows are made of them."""
    known = set(before.edges)
    changed = (edge for edge in after.edges if edge not in known)
    return tuple(GraphEdge(e.source, e.target, e.relation, e.positions) for e in changed)
