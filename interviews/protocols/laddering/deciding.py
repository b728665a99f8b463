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
from interviews.protocols.laddering.graph.growing import Naming, numbered, updated
from interviews.protocols.laddering.graph.measures import measured
from interviews.protocols.laddering.graph.states import Asked, states_after
from interviews.protocols.laddering.graph.types import Graph
from interviews.protocols.laddering.here import concept_of, ways_of
from interviews.protocols.laddering.signals.detecting import detect
from interviews.protocols.laddering.signals.moment import ELEMENT, Moment

STALE = 3  # answers in a row that change nothing, from which a covered concept is done


def decided(context: Read, foreseen: Chosen | None = None) -> Continued:
    """All four stages; a choice that was made before the answer was read stays."""
    computed = state_computation(graph_update(context))
    chosen = selection(computed) if foreseen is None else _kept(computed, foreseen)
    return continuation(chosen)


def graph_update(context: Read, naming: Naming = numbered) -> Grown:
    """Stage 4: what was said again is merged, what is new is added."""
    now = context.now
    graph, change = updated(
        now.state.graph,
        context.extraction,
        context.turn,
        now.received.position,
        ways_of(now),
        concept_of(now),
        naming,
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
        unchanged=now.state.unchanged + 1 if _as_it_was(context) else 0,
    )


def _as_it_was(context: Grown) -> bool:
    """Whether the answer brought nothing: no node, no tie, no element to what was said again."""
    before, after = context.now.state.graph.by_id, context.graph.by_id
    again = context.change.merged
    told = any(before[name].elements != after[name].elements for name in again)
    return not context.change.touched and not told


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
        at_hand=False,
    )


def _kept(context: Computed, foreseen: Chosen) -> Chosen:
    return onward(
        context,
        Chosen,
        moment=foreseen.moment,
        detected=foreseen.detected,
        choice=foreseen.choice,
        at_hand=True,
    )


def continuation(context: Chosen) -> Continued:
    """Stage 7: a wish to stop never comes this far."""
    return onward(context, Continued, ends=_ends(context))


def _ends(context: Chosen) -> End:
    if context.talk.turn >= context.talk.limit:
        return "turn_limit"
    if _done(context):
        return "all_covered"
    if _nothing_left(context):
        return "all_exhausted"
    return ""


def _done(context: Computed) -> bool:
    """Whether all elements are covered and nothing new comes up."""
    return not context.metrics.uncovered and context.unchanged >= STALE


def _nothing_left(context: Chosen) -> bool:
    """Whether every node is exhausted; elements that nobody spoke of stand among the nodes."""
    candidates = context.moment.candidates
    return bool(candidates) and all(one.state.exhausted for one in candidates)


def may_end(least: Computed) -> bool:
    """Whether some reading of the answer ends the talk. `least` is the talk after an answer that
    brings nothing.

    No answer leaves the graph unchanged for longer, or more of its nodes exhausted, than that one.
    But what is said again may cover elements that are not exhausted, so those count only where
    there is no node yet.
    """
    if least.talk.turn >= least.talk.limit or _done(least):
        return True
    elements = [ELEMENT + one.id for one in concept_of(least.now).elements]
    names = list(least.graph.by_id) or elements
    return all(name in least.states and least.states[name].exhausted for name in names)


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
