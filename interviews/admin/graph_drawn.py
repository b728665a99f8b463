"""A graph as the drawing in the browser takes it, and as the tables beside it say it.

The drawing knows rungs, nodes, edges and quotes, and nothing of interviews: that of one interview
and the value map of several are the same to it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from interviews.ladders import Ladder

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


@dataclass(frozen=True)
class Drawing:
    """All that is drawn."""

    rungs: tuple[str, ...]  # their names, the lowest first
    relations: Mapping[str, str]  # id -> in words; the first one is drawn as a plain line
    nodes: tuple[DrawnNode, ...] = ()
    edges: tuple[DrawnEdge, ...] = ()
    said: Mapping[str, Quote] = field(default_factory=dict)

    @property
    def data(self) -> dict[str, Any]:
        """As plain data."""
        return asdict(self)

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
    """The relations in words."""
    return {relation: relation.replace("_", " ") for relation in ladder.relations}


def quoted(text: str) -> str:
    """The beginning of what was said, on one line."""
    plain = " ".join(text.split())
    return plain if len(plain) <= QUOTED else plain[: QUOTED - 1].rstrip() + "…"


def one_of(many: Iterable[str]) -> str:
    """Names with commas between."""
    return ", ".join(many)
