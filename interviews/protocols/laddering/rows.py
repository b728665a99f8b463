"""Save a graph's rows in the transaction of the turn."""

from collections.abc import Sequence

from interviews.models import Edge as EdgeRow
from interviews.models import Node as NodeRow
from interviews.models import Session, TranscriptEntry
from interviews.protocols.laddering.codes.assignment import forget_codes
from interviews.protocols.laddering.graph.types import GraphEdge, GraphNode
from interviews.protocols.laddering.protocol import PROTOCOL
from interviews.turns.store.records import register


def save_graph(session: Session, records: Sequence[GraphNode | GraphEdge]) -> None:
    nodes = [one for one in records if isinstance(one, GraphNode)]
    edges = [one for one in records if isinstance(one, GraphEdge)]
    first = {one.positions[0] for one in records}
    entries = TranscriptEntry.objects.filter(session=session, position__in=first)
    entry_at = dict(entries.values_list("position", "id"))
    _save_nodes(session, nodes, entry_at)
    if edges:
        _save_edges(session, edges, entry_at)


def _save_nodes(session: Session, nodes: Sequence[GraphNode], entry_at: dict[int, int]) -> None:
    NodeRow.objects.bulk_create(
        (
            NodeRow(
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


def _save_edges(session: Session, edges: Sequence[GraphEdge], entry_at: dict[int, int]) -> None:
    keys = {end for edge in edges for end in (edge.source, edge.target)}
    ids = dict(NodeRow.objects.filter(session=session, key__in=keys).values_list("key", "id"))
    EdgeRow.objects.bulk_create(
        (
            EdgeRow(
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


register(PROTOCOL.name, save_graph, forget_codes)
