from collections.abc import Mapping
from dataclasses import dataclass

from interviews.protocols.laddering.graph.chains import (
    Climb,
    chain_lengths,
    complete_climbs,
    longest_chain,
)
from interviews.protocols.laddering.graph.types import Graph
from plans.protocols.laddering.schema.concept import Concept
from plans.protocols.laddering.schema.methodology import Methodology


@dataclass(frozen=True, slots=True)
class ElementCoverage:
    element: str  # its id
    nodes: tuple[str, ...]  # ids of those linked to it
    types: tuple[str, ...]  # found among them, from the lowest rung up
    depth_score: float  # its longest chain / the ladder's length

    @property
    def covered(self) -> bool:
        return bool(self.nodes)


@dataclass(frozen=True, slots=True)
class Metrics:
    node_count: int
    edge_count: int
    turn_count: int
    max_depth: int  # rungs of the longest climb
    lengths: Mapping[str, int]  # rungs of the longest climb through each node
    complete: Mapping[str, Climb]  # climbs from the lowest rung, by the terminal node
    orphan_count: int  # nodes without an edge
    coverage_breadth: float  # covered elements / all
    depth: float  # mean depth score of all elements
    coverage: tuple[ElementCoverage, ...]

    @property
    def uncovered(self) -> tuple[str, ...]:
        return tuple(one.element for one in self.coverage if not one.covered)


def coverage(
    graph: Graph, concept: Concept, methodology: Methodology
) -> tuple[ElementCoverage, ...]:
    linked: dict[str, list[str]] = {element.id: [] for element in concept.elements}
    for node in graph.nodes:
        for element in node.elements:
            linked[element].append(node.id)
    return tuple(
        ElementCoverage(
            element=element,
            nodes=tuple(nodes),
            types=tuple(
                t for t in methodology.types if any(graph.by_id[n].type == t for n in nodes)
            ),
            depth_score=longest_chain(graph, nodes) / len(methodology.ladder),
        )
        for element, nodes in linked.items()
    )


def measure(graph: Graph, concept: Concept, methodology: Methodology, turns: int) -> Metrics:
    elements = coverage(graph, concept, methodology)
    lengths = chain_lengths(graph, methodology)
    return Metrics(
        node_count=len(graph.nodes),
        edge_count=len(graph.edges),
        turn_count=turns,
        max_depth=max(lengths.values(), default=0),
        lengths=lengths,
        complete=complete_climbs(graph, methodology),
        orphan_count=sum(not others for others in graph.neighbours.values()),
        coverage_breadth=sum(one.covered for one in elements) / len(elements),
        depth=sum(one.depth_score for one in elements) / len(elements),
        coverage=elements,
    )
