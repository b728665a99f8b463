"""The rows of a graph follow the state of the interview, in the transaction of the turn."""

from collections.abc import Sequence

from interviews.engine.types import GraphEdge, GraphNode
from interviews.models import Edge, Node, Session, TranscriptEntry


def keep_graph(session: Session, nodes: Sequence[GraphNode], edges: Sequence[GraphEdge]) -> None:
    """Stores the nodes and edges that are new or have changed; the others stay."""
    if not nodes and not edges:
        return
    first = {node.positions[0] for node in nodes} | {edge.positions[0] for edge in edges}
    entries = TranscriptEntry.objects.filter(session=session, position__in=first)
    entry_at = dict(entries.values_list("position", "id"))
    _keep_nodes(session, nodes, entry_at)
    if edges:
        _keep_edges(session, edges, entry_at)


def _keep_nodes(session: Session, nodes: Sequence[GraphNode], entry_at: dict[int, int]) -> None:
    Node.objects.bulk_create(
        (
            Node(
                session=session,
                key=node.id,
                text=node.text,
                type=node.type,
                elements=list(node.elements),
                created_turn=node.created,
                entry_id=entry_at[node.positions[0]],
                positions=list(node.positions),
            )
            for node in nodes
        ),
        update_conflicts=True,
        unique_fields=["session", "key"],
        update_fields=["text", "type", "elements", "positions"],
    )


def _keep_edges(session: Session, edges: Sequence[GraphEdge], entry_at: dict[int, int]) -> None:
    keys = {end for edge in edges for end in (edge.source, edge.target)}
    ids = dict(Node.objects.filter(session=session, key__in=keys).values_list("key", "id"))
    Edge.objects.bulk_create(
        (
            Edge(
                session=session,
                source_id=ids[edge.source],
                target_id=ids[edge.target],
                relation=edge.relation,
                entry_id=entry_at[edge.positions[0]],
                positions=list(edge.positions),
            )
            for edge in edges
        ),
        update_conflicts=True,
        unique_fields=["source", "target", "relation"],
        update_fields=["positions"],
    )
