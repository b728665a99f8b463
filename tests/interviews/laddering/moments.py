"""Moments of a talk."""

from interviews.protocols.laddering.graph.measures import measure
from interviews.protocols.laddering.graph.states import NodeState
from interviews.protocols.laddering.graph.types import Graph
from interviews.protocols.laddering.signals.moment import AnswerSignals, Moment, Talk
from tests.interviews.laddering.cast import concept, methodology


def moment(
    made: Graph,
    reading: AnswerSignals | None = None,
    talk: Talk | None = None,
    states: dict[str, NodeState] | None = None,
    ways=None,
) -> Moment:
    """A moment in which every node is as it was when it came up, but for these states."""
    talk = talk or Talk(limit=20, turn=1)
    ways = ways or methodology()
    kept = {node.id: _untouched(made, node.id, talk.turn) for node in made.nodes}
    return Moment(
        graph=made,
        metrics=measure(made, concept(), ways),
        states=kept | (states or {}),
        talk=talk,
        methodology=ways,
        concept=concept(),
        reading=reading,
    )


def _untouched(made: Graph, name: str, turn: int) -> NodeState:
    ties = made.neighbours[name]
    outs = sum(edge.source == name for edge in made.edges)
    created = made.by_id[name].created
    return NodeState(created, turn, connected=ties, edges_in=len(ties) - outs, edges_out=outs)
