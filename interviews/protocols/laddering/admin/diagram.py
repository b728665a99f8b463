"""A graph as pages draw it in SVG: that of one interview, or the value map of several."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from interviews.admin.base import session_url
from interviews.models import Session
from interviews.protocols.laddering.admin.graph_layout import BOX_HEIGHT, BOX_WIDTH, Layout, lay_out
from interviews.protocols.laddering.graph.measures import coverage
from interviews.protocols.laddering.graph.types import Graph, GraphNode
from interviews.protocols.laddering.ladders import Ladder, graph_of, ladder_of, material_of
from plans.text import shorten

QUOTED = 500  # characters of an answer


@dataclass(frozen=True)
class Quote:
    text: str
    place: str  # what the link is called
    url: str


@dataclass(frozen=True)
class DrawnNode:
    id: str
    text: str
    rung: int  # from 0
    mark: str  # what stands in its circle
    facts: tuple[tuple[str, str], ...] = ()  # names and values
    quotes: tuple[str, ...] = ()  # keys
    about: str = ""  # elements that it speaks of


@dataclass(frozen=True)
class DrawnEdge:
    source: str
    target: str
    relation: str
    note: str = ""
    weight: float = 0.0  # how wide its line is, 0 to 1


@dataclass(frozen=True)
class Drawing:
    rungs: tuple[str, ...]  # their names, the lowest first
    relations: Mapping[str, str]  # id -> in words; the first one is drawn as a plain line
    nodes: tuple[DrawnNode, ...] = ()
    edges: tuple[DrawnEdge, ...] = ()
    said: Mapping[str, Quote] = field(default_factory=dict)

    @cached_property
    def by_id(self) -> dict[str, DrawnNode]:
        return {node.id: node for node in self.nodes}

    @cached_property
    def layout(self) -> Layout:
        rungs = {node.id: node.rung for node in self.nodes}
        return lay_out(rungs, [(edge.source, edge.target) for edge in self.edges])

    @property
    def rows(self) -> list[tuple[str, float]]:
        """The name and the upper end of each row of the picture."""
        return [(self.rungs[rung], middle - BOX_HEIGHT / 2) for rung, middle in self.layout.rows]

    @property
    def boxes(self) -> list[dict[str, Any]]:
        """The nodes in the picture, each by its upper left corner."""
        near: dict[str, set[str]] = defaultdict(set)
        for edge in self.edges:
            near[edge.source].add(edge.target)
            near[edge.target].add(edge.source)
        return [
            {
                "node": node,
                "type": self.rungs[node.rung],
                "x": x - BOX_WIDTH / 2,
                "y": y - BOX_HEIGHT / 2,
                "ties": len(near[node.id]),
            }
            for node in self.nodes
            for x, y in [self.layout.nodes[node.id]]
        ]

    @property
    def edge_lines(self) -> list[dict[str, Any]]:
        plain = next(iter(self.relations), "")
        return [
            {
                "edge": edge,
                "path": path,
                "plain": edge.relation == plain,
                "width": 1.25 + 2.75 * edge.weight,
                "words": self._words(edge),
            }
            for edge, path in zip(self.edges, self.layout.paths, strict=True)
        ]

    def _words(self, edge: DrawnEdge) -> str:
        source, target = self.by_id[edge.source].text, self.by_id[edge.target].text
        words = f"{source} – {self.relations[edge.relation]} – {target}"
        return f"{words} ({edge.note})" if edge.note else words

    @cached_property
    def details(self) -> list[dict[str, Any]]:
        """The nodes with their ties: by what these are called, and in order, in each direction."""
        up = {relation: words[:1].upper() + words[1:] for relation, words in self.relations.items()}
        down = {relation: f"What {words} it" for relation, words in self.relations.items()}
        ties: dict[str, dict[str, list[tuple[DrawnNode, str]]]]
        ties = defaultdict(lambda: {title: [] for title in (*up.values(), *down.values())})
        leads: dict[str, list[tuple[str, DrawnNode]]] = defaultdict(list)
        comes: dict[str, list[tuple[str, DrawnNode]]] = defaultdict(list)
        for edge in self.edges:
            source, target = self.by_id[edge.source], self.by_id[edge.target]
            ties[source.id][up[edge.relation]].append((target, edge.note))
            ties[target.id][down[edge.relation]].append((source, edge.note))
            leads[source.id].append((self.relations[edge.relation], target))
            comes[target.id].append((self.relations[edge.relation], source))
        return [
            {
                "node": node,
                "type": self.rungs[node.rung],
                "leads": leads[node.id],
                "comes": comes[node.id],
                "ties": {title: ends for title, ends in ties[node.id].items() if ends},
                "quotes": [self.said[key] for key in node.quotes if key in self.said],
            }
            for node in self.nodes
        ]

    @property
    def legend(self) -> list[tuple[int, str, int]]:
        """Number, name and count of nodes of each rung, the highest first."""
        counts = [
            (place + 1, name, sum(node.rung == place for node in self.nodes))
            for place, name in enumerate(self.rungs)
        ]
        return counts[::-1]

    @property
    def lines(self) -> list[tuple[str, bool]]:
        """The relations that are drawn, in words, and whether their line is a plain one."""
        drawn = {edge.relation for edge in self.edges}
        return [
            (words, place == 0)
            for place, (relation, words) in enumerate(self.relations.items())
            if relation in drawn
        ]


def relation_words(ladder: Ladder) -> dict[str, str]:
    return {relation: relation.replace("_", " ") for relation in ladder.relations}


def shorten_quote(text: str) -> str:
    return shorten(" ".join(text.split()), QUOTED)


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
        about=about,
        facts=tuple((name, value) for name, value in facts if value),
        quotes=tuple(place for place in map(str, node.positions) if place in said),
    )


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
