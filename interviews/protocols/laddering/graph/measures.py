"""Counts, depth and coverage of a graph."""

from collections.abc import Mapping
from dataclasses import dataclass

from interviews.protocols.laddering.graph.chains import longest_chain
from interviews.protocols.laddering.graph.types import Graph
from plans.protocols.laddering.schema.concept import Concept
from plans.protocols.laddering.schema.methodology import Methodology


@dataclass(frozen=True, slots=True)
class ElementCoverage:
    """How far one element was talked about."""

    element: str  # its id
    nodes: tuple[str, ...]  # ids of those linked to it
    types: tuple[str, ...]  # found among them, from the lowest rung up
    depth_score: float  # its longest chain / the ladder's length

    @property
    def covered(self) -> bool:
        """Whether it was talked about at all."""
        return bool(self.nodes)


@dataclass(frozen=True, slots=True)
class Metrics:
    """A graph in figures."""

    node_count: int
    edge_count: int
    turn_count: int
    max_depth: int  # of the longest chain, in nodes
    orphan_count: int  # nodes without an edge
    coverage_breadth: float  # covered elements / all
    depth: float  # mean depth score of all elements
    coverage: tuple[ElementCoverage, ...]

    @property
    def uncovered(self) -> tuple[str, ...]:
        """Ids of the elements that were not talked about."""
        return tuple(one.element for one in self.coverage if not one.covered)


def coverage(
    graph: Graph, concept: Concept, methodology: Methodology
) -> tuple[ElementCoverage, ...]:
    """How far each element was talked about, in the concept's order."""
    linked: dict[str, list[str]] = {element.id: [] for element in concept.elements}
    for node in graph.nodes:
        for element in node.elements:
            linked[element].append(node.id)
    return tuple(_covered(graph, name, nodes, methodology) for name, nodes in linked.items())


def _covered(
    graph: Graph, element: str, nodes: list[str], methodology: Methodology
) -> ElementCoverage:
    found = {graph.by_id[name].type for name in nodes}
    return ElementCoverage(
        element=element,
        nodes=tuple(nodes),
        types=tuple(name for name in methodology.types if name in found),
        depth_score=longest_chain(graph, nodes) / len(methodology.ladder),
    )


def measured(graph: Graph, concept: Concept, methodology: Methodology, turns: int) -> Metrics:
    """The graph in figures after so many turns."""
    reached = coverage(graph, concept, methodology)
    return Metrics(
        node_count=len(graph.nodes),
        edge_count=len(graph.edges),
        turn_count=turns,
        max_depth=longest_chain(graph, graph.by_id),
        orphan_count=_orphans(graph.neighbours),
        coverage_breadth=sum(one.covered for one in reached) / len(reached),
        depth=sum(one.depth_score for one in reached) / len(reached),
        coverage=reached,
    )


def _orphans(neighbours: Mapping[str, tuple[str, ...]]) -> int:
    return sum(not others for others in neighbours.values())
