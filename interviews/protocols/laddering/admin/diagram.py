"""A graph as pages draw it in SVG: that of one interview, or the value map of several."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from interviews.protocols.laddering.admin.graph_layout import BOX_HEIGHT, BOX_WIDTH, Layout, lay_out
from interviews.protocols.laddering.ladders import Ladder

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


@dataclass(frozen=True)
class DrawnEdge:
    source: str
    target: str
    relation: str
    note: str = ""
    weight: float = 0.0  # how wide its line is, 0 to 1


class Box(NamedTuple):
    """A node in the picture, by its upper left corner."""

    node: DrawnNode
    type: str
    x: float
    y: float
    ties: int  # how many others it is tied to


class Line(NamedTuple):
    """An edge in the picture."""

    edge: DrawnEdge
    path: str
    plain: bool
    width: float
    words: str


class Details(NamedTuple):
    node: DrawnNode
    ties: Mapping[str, list[tuple[DrawnNode, str]]]  # title -> the other ends with notes
    quotes: list[Quote]


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
    def boxes(self) -> list[Box]:
        near: dict[str, set[str]] = defaultdict(set)
        for edge in self.edges:
            near[edge.source].add(edge.target)
            near[edge.target].add(edge.source)
        half_width, half_height = BOX_WIDTH / 2, BOX_HEIGHT / 2
        places = self.layout.nodes
        return [
            Box(node, self.rungs[node.rung], x - half_width, y - half_height, len(near[node.id]))
            for node in self.nodes
            for x, y in [places[node.id]]
        ]

    @property
    def edge_lines(self) -> list[Line]:
        plain = next(iter(self.relations), "")
        return [
            Line(edge, path, edge.relation == plain, 1.25 + 2.75 * edge.weight, self._words(edge))
            for edge, path in zip(self.edges, self.layout.paths, strict=True)
        ]

    def _words(self, edge: DrawnEdge) -> str:
        source, target = self.by_id[edge.source].text, self.by_id[edge.target].text
        words = f"{source} – {self.relations[edge.relation]} – {target}"
        return f"{words} ({edge.note})" if edge.note else words

    @property
    def details(self) -> list[Details]:
        up = {relation: words[:1].upper() + words[1:] for relation, words in self.relations.items()}
        down = {relation: f"What {words} it" for relation, words in self.relations.items()}
        ties: dict[str, dict[str, list[tuple[DrawnNode, str]]]]
        ties = defaultdict(lambda: {title: [] for title in (*up.values(), *down.values())})
        for edge in self.edges:
            ties[edge.source][up[edge.relation]].append((self.by_id[edge.target], edge.note))
            ties[edge.target][down[edge.relation]].append((self.by_id[edge.source], edge.note))
        return [
            Details(
                node,
                {title: ends for title, ends in ties[node.id].items() if ends},
                [self.said[key] for key in node.quotes if key in self.said],
            )
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
    plain = " ".join(text.split())
    return plain if len(plain) <= QUOTED else plain[: QUOTED - 1].rstrip() + "…"
