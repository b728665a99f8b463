import tempfile
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from interviews.exports.archive import read_chunks
from interviews.exports.database_cursor import one_snapshot
from interviews.exports.selection import Selection
from interviews.exports.sessions import batches, keys
from interviews.models import Session
from interviews.protocols.laddering.codes.assignment import codes_of
from interviews.protocols.laddering.codes.pooled_codes import StoredCode
from interviews.protocols.laddering.graph.types import Graph
from interviews.protocols.laddering.ladders import graph_of, graphs_of
from plans.text import tidy

MEDIA = "application/xml; charset=utf-8"
NAMESPACE = "http://graphml.graphdrawing.org/xmlns"
NODE_FIELDS = ("text", "type", "created_turn", "positions", "elements")
CODE_FIELDS = ("code_id", "code", "code_type")
EDGE_FIELDS = ("relation", "positions")
INTEGERS = {"created_turn", "code_id"}


def graphml(graph: Graph, codes: Mapping[str, StoredCode] | None = None) -> str:
    """Return the graph as GraphML, to be encoded as UTF-8. Edges have ids of their own.

    `codes` are those of the nodes, by their ids.
    """
    codes = codes or {}
    root = Element("graphml", xmlns=NAMESPACE)
    _declare(root, "node", (*NODE_FIELDS, *CODE_FIELDS) if codes else NODE_FIELDS)
    _declare(root, "edge", EDGE_FIELDS)
    parent = SubElement(root, "graph", id="laddering", edgedefault="directed")
    values: dict[str, object]
    for node in graph.nodes:
        told = (node.text, node.type, node.created)
        places = (join_spaced(node.positions), join_spaced(node.elements))
        values = dict(zip(NODE_FIELDS, (*told, *places), strict=True))
        if code := codes.get(node.id):
            values |= {"code_id": code.key, "code": code.text, "code_type": code.type}
        _fill(SubElement(parent, "node", id=node.id), "node", values)
    for number, edge in enumerate(graph.edges, 1):
        ends = {"id": f"e{number}", "source": edge.source, "target": edge.target}
        values = {"relation": edge.relation, "positions": join_spaced(edge.positions)}
        _fill(SubElement(parent, "edge", ends), "edge", values)
    indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{tostring(root, encoding="unicode")}\n'


def _declare(root: Element, what: str, fields: tuple[str, ...]) -> None:
    for name in fields:
        kind = "int" if name in INTEGERS else "string"
        field = {"id": f"{what}_{name}", "for": what, "attr.name": name, "attr.type": kind}
        SubElement(root, "key", field)


def _fill(part: Element, what: str, values: Mapping[str, object]) -> None:
    for name, value in values.items():
        SubElement(part, "data", key=f"{what}_{name}").text = tidy(str(value))


def join_spaced(values: Iterable[str | int]) -> str:
    return " ".join(map(str, values))


def graphml_of(session: Session) -> bytes:
    return graphml(graph_of(session), codes_of([session.pk])[str(session.pk)]).encode()


def zip_graphs(chosen: Selection) -> Iterator[bytes]:
    """Yield pieces of a ZIP with a GraphML file for each chosen interview that has a graph."""
    with tempfile.TemporaryFile(prefix="graphs-") as out:
        with one_snapshot(), zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
            for batch in batches(chosen.with_content()):
                graphs, codes = graphs_of(keys(batch)), codes_of(keys(batch))
                for row in batch:
                    graph, name = graphs[row.session.pk], f"{row.participant}_{row.session_id}"
                    if graph.nodes:
                        content = graphml(graph, codes[row.session_id]).encode()
                        with archive.open(f"{name}.graphml", "w") as file:  # writestr adds the time
                            file.write(content)
        yield from read_chunks(out)
