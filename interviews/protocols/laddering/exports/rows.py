from collections.abc import Iterable

from interviews.protocols.laddering.graph.types import Graph

Row = dict[str, str | int]
NODE_COLUMNS = ("id", "text", "type", "created_turn", "positions", "elements")
EDGE_COLUMNS = ("source", "source_text", "relation", "target", "target_text", "positions")


def node_rows(graph: Graph) -> list[Row]:
    return [
        {
            "id": node.id,
            "text": node.text,
            "type": node.type,
            "created_turn": node.created,
            "positions": join_spaced(node.positions),
            "elements": join_spaced(node.elements),
        }
        for node in graph.nodes
    ]


def edge_rows(graph: Graph) -> list[Row]:
    return [
        {
            "source": edge.source,
            "source_text": graph.by_id[edge.source].text,
            "relation": edge.relation,
            "target": edge.target,
            "target_text": graph.by_id[edge.target].text,
            "positions": join_spaced(edge.positions),
        }
        for edge in graph.edges
    ]


def join_spaced(values: Iterable[str | int]) -> str:
    return " ".join(map(str, values))
