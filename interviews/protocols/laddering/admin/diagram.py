"""A graph as pages draw it in SVG, with the details of each node.

A drawing knows rungs, nodes, edges and quotes, and nothing of interviews: that of one interview and
the value map of several are the same to it.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from interviews.protocols.laddering.admin.graph_layout import (
    BOX_HEIGHT,
    BOX_WIDTH,
    Layout,
    laid_out,
)
from interviews.protocols.laddering.ladders import Ladder

QUOTED = 500  # characters of an answer


@dataclass(frozen=True)
class Quote:
    """Words that somebody said, and where."""

    text: str
    place: str  # what the link is called
    url: str


@dataclass(frozen=True)
class DrawnNode:
    """One node. `rung` counts from 0; `facts` are names and values; `quotes` are keys of them."""

    id: str
    text: str
    rung: int
    mark: str  # what stands in its circle
    facts: tuple[tuple[str, str], ...] = ()
    quotes: tuple[str, ...] = ()


@dataclass(frozen=True)
class DrawnEdge:
    """One edge. `note` says more of it; its line is as wide as `weight`, from 0 to 1, asks for."""

    source: str
    target: str
    relation: str
    note: str = ""
    weight: float = 0.0


class Box(NamedTuple):
    """A node in the picture, by its upper left corner, and how many others it is tied to."""

    node: DrawnNode
    type: str
    x: float
    y: float
    ties: int


class Line(NamedTuple):
    """An edge in the picture."""

    edge: DrawnEdge
    path: str
    plain: bool
    width: float
    words: str


class Details(NamedTuple):
    """A node with its ties, under what they are called, and its quotes."""

    node: DrawnNode
    ties: Mapping[str, list[tuple[DrawnNode, str]]]  # title -> the other ends with notes
    quotes: list[Quote]


@dataclass(frozen=True)
class Drawing:
    """All that is drawn."""

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
        return laid_out(rungs, [(edge.source, edge.target) for edge in self.edges])

    @property
    def rows(self) -> list[tuple[str, float]]:
        """The name and the upper end of each row of the picture."""
        return [(self.rungs[rung], middle - BOX_HEIGHT / 2) for rung, middle in self.layout.rows]

    @property
    def boxes(self) -> list[Box]:
        """The nodes of the picture."""
        near: dict[str, set[str]] = defaultdict(set)
        for edge in self.edges:
            near[edge.source].add(edge.target)
            near[edge.target].add(edge.source)
        places = self.layout.nodes
        return [
            Box(
                node,
                self.rungs[node.rung],
                x - BOX_WIDTH / 2,
                y - BOX_HEIGHT / 2,
                len(near[node.id]),
            )
            for node in self.nodes
            for x, y in [places[node.id]]
        ]

    @property
    def edge_lines(self) -> list[Line]:
        """The edges of the picture."""
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
        """What can be read about each node."""
        ties: dict[str, dict[str, list[tuple[DrawnNode, str]]]]
        ties = defaultdict(lambda: {title: [] for title in self._titles})
        for edge in self.edges:
            upward, downward = self._ends[edge.relation]
            ties[edge.source][upward].append((self.by_id[edge.target], edge.note))
            ties[edge.target][downward].append((self.by_id[edge.source], edge.note))
        return [
            Details(
                node,
                {title: ends for title, ends in ties[node.id].items() if ends},
                [self.said[key] for key in node.quotes if key in self.said],
            )
            for node in self.nodes
        ]

    @property
    def _ends(self) -> dict[str, tuple[str, str]]:
        """What the targets and the sources of a relation are called."""
        return {
            relation: (words[:1].upper() + words[1:], f"What {words} it")
            for relation, words in self.relations.items()
        }

    @property
    def _titles(self) -> list[str]:
        """Targets of all relations, then sources."""
        return [pair[end] for end in (0, 1) for pair in self._ends.values()]

    @property
    def legend(self) -> list[tuple[int, str, int]]:
        """Number, name and count of nodes of each rung, the highest first, as it is drawn."""
        counted = [
            (place + 1, name, sum(node.rung == place for node in self.nodes))
            for place, name in enumerate(self.rungs)
        ]
        return counted[::-1]

    @property
    def lines(self) -> list[tuple[str, bool]]:
        """The relations that are drawn, in words, and whether their line is a plain one."""
        drawn = {edge.relation for edge in self.edges}
        return [
            (words, place == 0)
            for place, (relation, words) in enumerate(self.relations.items())
            if relation in drawn
        ]


def relations_of(ladder: Ladder) -> dict[str, str]:
    return {relation: relation.replace("_", " ") for relation in ladder.relations}


def quoted(text: str) -> str:
    """The beginning of what was said, on one line."""
    plain = " ".join(text.split())
    return plain if len(plain) <= QUOTED else plain[: QUOTED - 1].rstrip() + "…"


def one_of(many: Iterable[str]) -> str:
    """Names with commas between."""
    return ", ".join(many)
