"""The graph of one interview, for its page."""

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from interviews.admin.base import session_url
from interviews.models import Session
from interviews.protocols.laddering.admin.diagram import (
    Drawing,
    DrawnEdge,
    DrawnNode,
    Quote,
    relation_words,
    shorten_quote,
)
from interviews.protocols.laddering.graph.measures import coverage
from interviews.protocols.laddering.graph.types import Graph, GraphNode
from interviews.protocols.laddering.ladders import Ladder, graph_of, ladder_of, material_of


def graph_view(session: Session) -> dict[str, Any]:
    graph = graph_of(session)
    ladder = ladder_of(session.plan_id, [graph])
    said = _quotes(session, graph)
    elements = _elements(session.plan_id, graph, ladder)
    return {
        "drawing": Drawing(
            rungs=tuple(rung.name for rung in ladder.rungs),
            relations=relation_words(ladder),
            nodes=tuple(_drawn(node, ladder, said) for node in graph.nodes),
            edges=tuple(DrawnEdge(e.source, e.target, e.relation) for e in graph.edges),
            said=said,
        ),
        "rows": _rows(graph, ladder, said),
        "elements": elements,
        "covered": sum(one["nodes"] > 0 for one in elements),
        "orphans": sum(not others for others in graph.neighbours.values()),
    }


def _quotes(session: Session, graph: Graph) -> dict[str, Quote]:
    wanted = {position for node in graph.nodes for position in node.positions}
    entries = session.entries.filter(position__in=wanted).order_by("position")
    return {
        str(place): Quote(
            shorten_quote(text), f"answer {place}", session_url(session, f"#e{place}")
        )
        for place, text in entries.values_list("position", "text")
    }


def _drawn(node: GraphNode, ladder: Ladder, said: Mapping[str, Quote]) -> DrawnNode:
    rung = ladder.by_type[node.type]
    about = ", ".join(ladder.labels(node.elements))
    facts = [("Type", rung.name), ("Elements", about), ("Mentioned", f"in turn {node.created}")]
    return DrawnNode(
        id=node.id,
        text=node.text,
        rung=rung.number - 1,
        mark=str(rung.number),
        facts=tuple((name, value) for name, value in facts if value),
        quotes=tuple(place for place in map(str, node.positions) if place in said),
    )


def _rows(graph: Graph, ladder: Ladder, said: Mapping[str, Quote]) -> list[dict[str, Any]]:
    up: dict[str, list[dict[str, Any]]] = defaultdict(list)
    down: dict[str, list[dict[str, Any]]] = defaultdict(list)
    words, nodes, rungs = relation_words(ladder), graph.by_id, ladder.by_type
    for edge in graph.edges:
        relation = words[edge.relation]
        up[edge.source].append({"relation": relation, "other": nodes[edge.target]})
        down[edge.target].append({"relation": relation, "other": nodes[edge.source]})
    return [
        {
            "node": node,
            "type": rungs[node.type].name,
            "rung": rungs[node.type].number,
            "elements": ", ".join(ladder.labels(node.elements)),
            "up": up[node.id],
            "down": down[node.id],
            "quotes": [said[place] for place in map(str, node.positions) if place in said],
        }
        for node in graph.nodes
    ]


def _elements(plan_id: int, graph: Graph, ladder: Ladder) -> list[dict[str, Any]]:
    material = material_of(plan_id)
    if material is None:
        return []
    rungs = ladder.by_type
    return [
        {
            "label": ladder.elements[one.element],
            "nodes": len(one.nodes),
            "types": ", ".join(rungs[kind].name for kind in one.types),
            "depth": round(100 * one.depth_score),  # in percent of the ladder
        }
        for one in coverage(graph, material.concept, material.methodology)
    ]
