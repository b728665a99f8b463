from xml.etree.ElementTree import Element, SubElement, indent, tostring

from interviews.protocols.laddering.exports.rows import Row, edge_rows, node_rows
from interviews.protocols.laddering.graph.types import Graph
from plans.text import tidy

NAMESPACE = "http://graphml.graphdrawing.org/xmlns"
NODE_FIELDS = ("text", "type", "created_turn", "positions", "elements")
EDGE_FIELDS = ("relation", "positions")


def graphml(graph: Graph) -> str:
    """Return the graph as GraphML, to be encoded as UTF-8. Edges have ids of their own."""
    root = Element("graphml", xmlns=NAMESPACE)
    _declare(root, "node", NODE_FIELDS)
    _declare(root, "edge", EDGE_FIELDS)
    parent = SubElement(root, "graph", id="laddering", edgedefault="directed")
    for row in node_rows(graph):
        _fill(SubElement(parent, "node", id=str(row["id"])), "node", row, NODE_FIELDS)
    for number, row in enumerate(edge_rows(graph), 1):
        ends = {"id": f"e{number}", "source": str(row["source"]), "target": str(row["target"])}
        _fill(SubElement(parent, "edge", ends), "edge", row, EDGE_FIELDS)
    indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{tostring(root, encoding="unicode")}\n'


def _declare(root: Element, what: str, fields: tuple[str, ...]) -> None:
    for name in fields:
        kind = "int" if name == "created_turn" else "string"
        field = {"id": f"{what}_{name}", "for": what, "attr.name": name, "attr.type": kind}
        SubElement(root, "key", field)


def _fill(part: Element, what: str, row: Row, fields: tuple[str, ...]) -> None:
    for name in fields:
        SubElement(part, "data", key=f"{what}_{name}").text = tidy(str(row[name]))
