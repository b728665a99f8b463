"""The graph of one interview, for its page."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from interviews.admin.base import session_url
from interviews.models import Session
from interviews.protocols.laddering.admin.diagram import (
    Drawing,
    DrawnEdge,
    DrawnNode,
    Quote,
    one_of,
    quoted,
    relations_of,
)
from interviews.protocols.laddering.graph.measures import coverage
from interviews.protocols.laddering.graph.types import Graph, GraphNode
from interviews.protocols.laddering.ladders import Ladder, graph_of, ladder_of, material_of


@dataclass(frozen=True)
class TieView:
    """An edge as one of its ends sees it: how it is tied, and to what."""

    relation: str  # in words
    other: GraphNode


@dataclass(frozen=True)
class NodeRow:
    """One node in words."""

    node: GraphNode
    type: str
    rung: int
    elements: str
    up: Sequence[TieView]
    down: Sequence[TieView]
    quotes: Sequence[Quote]


@dataclass(frozen=True)
class ElementRow:
    """How far one element was talked about."""

    label: str
    nodes: int
    types: str
    depth: int  # in percent of the ladder


@dataclass(frozen=True)
class GraphView:
    """All that the page shows."""

    drawing: Drawing
    rows: Sequence[NodeRow]
    elements: Sequence[ElementRow]
    orphans: int

    @property
    def covered(self) -> int:
        """How many elements were talked about."""
        return sum(one.nodes > 0 for one in self.elements)


def shown(session: Session) -> GraphView:
    """The graph with its names, figures and quotes."""
    graph = graph_of(session)
    ladder = ladder_of(session.plan_id, [graph])
    said = _said(session, graph)
    return GraphView(
        drawing=_drawing(graph, ladder, said),
        rows=_rows(graph, ladder, said),
        elements=_elements(session.plan_id, graph, ladder),
        orphans=sum(not others for others in graph.neighbours.values()),
    )


def _said(session: Session, graph: Graph) -> dict[str, Quote]:
    """The answers that the graph comes from, by position."""
    wanted = {position for node in graph.nodes for position in node.positions}
    entries = session.entries.filter(position__in=wanted).order_by("position")
    return {
        str(place): Quote(quoted(text), f"said at {place}", session_url(session, f"#e{place}"))
        for place, text in entries.values_list("position", "text")
    }


def _drawing(graph: Graph, ladder: Ladder, said: Mapping[str, Quote]) -> Drawing:
    return Drawing(
        rungs=tuple(rung.name for rung in ladder.rungs),
        relations=relations_of(ladder),
        nodes=tuple(_drawn(node, ladder, said) for node in graph.nodes),
        edges=tuple(DrawnEdge(e.source, e.target, e.relation) for e in graph.edges),
        said=said,
    )


def _drawn(node: GraphNode, ladder: Ladder, said: Mapping[str, Quote]) -> DrawnNode:
    rung = ladder.by_type[node.type]
    about = one_of(ladder.labels(node.elements))
    facts = [("Type", rung.name), ("Speaks of", about), ("Came up", f"in turn {node.created}")]
    return DrawnNode(
        id=node.id,
        text=node.text,
        rung=rung.number - 1,
        mark=str(rung.number),
        facts=tuple((name, value) for name, value in facts if value),
        quotes=tuple(place for place in map(str, node.positions) if place in said),
    )


def _rows(graph: Graph, ladder: Ladder, said: Mapping[str, Quote]) -> list[NodeRow]:
    up: dict[str, list[TieView]] = defaultdict(list)
    down: dict[str, list[TieView]] = defaultdict(list)
    words = relations_of(ladder)
    for edge in graph.edges:
        up[edge.source].append(TieView(words[edge.relation], graph.by_id[edge.target]))
        down[edge.target].append(TieView(words[edge.relation], graph.by_id[edge.source]))
    return [_row(node, ladder, up[node.id], down[node.id], said) for node in graph.nodes]


def _row(
    node: GraphNode,
    ladder: Ladder,
    up: Sequence[TieView],
    down: Sequence[TieView],
    said: Mapping[str, Quote],
) -> NodeRow:
    rung = ladder.by_type[node.type]
    return NodeRow(
        node=node,
        type=rung.name,
        rung=rung.number,
        elements=one_of(ladder.labels(node.elements)),
        up=up,
        down=down,
        quotes=[said[place] for place in map(str, node.positions) if place in said],
    )


def _elements(plan_id: int, graph: Graph, ladder: Ladder) -> list[ElementRow]:
    """What the plan wanted to be talked about, in its order; nothing where it names nothing."""
    material = material_of(plan_id)
    if material is None:
        return []
    names = {rung.id: rung.name for rung in ladder.rungs}
    return [
        ElementRow(
            label=ladder.elements[one.element],
            nodes=len(one.nodes),
            types=one_of(names[kind] for kind in one.types),
            depth=round(100 * one.depth_score),
        )
        for one in coverage(graph, material.concept, material.methodology)
    ]
