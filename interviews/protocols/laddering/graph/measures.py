"""Figures of a graph, over chains: tied in any way for coverage, else climbing the ladder.

A chain of distinct types is a run of nodes, each tied to the next in either direction, that goes
from type to type and never back to one that it has left. Nodes of one type that are tied to each
other are one link: attribute, consequence, consequence, value is a chain of three.

A climb follows the direction of the relation that leads up the ladder, from rung to rung; a
relation that hinders leads nowhere. A climb from the lowest rung to the highest one is complete.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass

from interviews.protocols.laddering.graph.types import Graph
from plans.protocols.laddering.schema.concept import Concept
from plans.protocols.laddering.schema.methodology import Methodology

Climb = tuple[str, ...]  # ids of nodes, from the lowest up


def longest_chain(graph: Graph, among: Collection[str]) -> int:
    """Return how many links the longest chain among these nodes has; 0 without nodes.

    Chains are grown from each link one link at a time, and two that end at the same link with the
    same types are one. So there are at most links x 2^(types - 1) of them.
    """
    link = _links(graph, frozenset(among))
    neighbours: dict[str, set[str]] = {name: set() for name in link.values()}
    for name, own in link.items():
        neighbours[own].update(link[other] for other in graph.neighbours[name] if other in link)
    types = sorted({graph.by_id[name].type for name in neighbours})
    bits = {name: 1 << types.index(graph.by_id[name].type) for name in neighbours}
    chains = set(bits.items())  # the link at the chain's end, and the chain's types as bits
    length = 0
    while chains:
        length += 1
        if length == len(types):
            break
        chains = {
            (other, seen | bits[other])
            for end, seen in chains
            for other in neighbours[end]
            if not seen & bits[other]
        }
    return length


def chain_lengths(graph: Graph, methodology: Methodology) -> dict[str, int]:
    """Return how many rungs the longest climb through each node has."""
    below, above = _rungs(graph, methodology, False), _rungs(graph, methodology, True)
    return {name: below[name] + above[name] - 1 for name in graph.by_id}


def complete_climbs(graph: Graph, methodology: Methodology) -> dict[str, Climb]:
    """Return a shortest climb from the lowest rung to each node of the highest one."""
    types, before = methodology.types, _tied(graph, methodology, down=True)
    found: dict[str, Climb] = {}
    for node in graph.nodes:
        climb: Climb | None = (node.id,) if node.type == types[-1] else None
        waiting, seen = [climb] if climb else [], {node.id}
        for climb in waiting:
            if graph.by_id[climb[0]].type == types[0]:
                found[node.id] = climb
                break
            fresh = [name for name in before[climb[0]] if name not in seen]
            seen.update(fresh)
            waiting += [(name, *climb) for name in fresh]
    return found


def climb_to(graph: Graph, methodology: Methodology, node: str) -> Climb:
    """Return a longest climb that ends at the node."""
    before, rungs = _tied(graph, methodology, down=True), _rungs(graph, methodology, False)
    climb = [node]
    while lower := [name for name in before[climb[0]] if name not in climb]:
        climb.insert(0, max(lower, key=lambda name: rungs[name]))
    return tuple(climb)


def _tied(graph: Graph, methodology: Methodology, down: bool) -> Mapping[str, list[str]]:
    """Return to which nodes each leads up the ladder, or with `down`, which lead to it."""
    rung = {name: place for place, name in enumerate(methodology.types)}
    tied: dict[str, list[str]] = defaultdict(list)
    for edge in graph.edges:
        source, target = graph.by_id[edge.source], graph.by_id[edge.target]
        climbs = edge.relation == methodology.upward and rung[source.type] <= rung[target.type]
        if climbs:
            start, end = (target, source) if down else (source, target)
            tied[start.id].append(end.id)
    return tied


def _rungs(graph: Graph, methodology: Methodology, above: bool) -> dict[str, int]:
    """Return how many rungs the longest climb to each node has, or with `above`, from it."""
    tied = _tied(graph, methodology, down=above)
    order = methodology.types[::-1] if above else methodology.types
    by_type: dict[str, list[str]] = defaultdict(list)
    for node in graph.nodes:
        by_type[node.type].append(node.id)
    rungs = dict.fromkeys(graph.by_id, 1)
    for kind in order:
        waiting = by_type[kind]
        while waiting:
            name = waiting.pop()
            for other in tied[name]:
                beside = graph.by_id[other].type == kind
                count = rungs[name] + (not beside)
                if count > rungs[other]:
                    rungs[other] = count
                    if beside:
                        waiting.append(other)
    return rungs


def reachable(starts: Iterable[str], neighbours: Callable[[str], Iterable[str]]) -> set[str]:
    found = set(starts)
    waiting = list(found)
    while waiting:
        new = [other for other in neighbours(waiting.pop()) if other not in found]
        found.update(new)
        waiting += new
    return found


def connected_to(graph: Graph, node: str) -> set[str]:
    """Return the node and everything that it is tied to, over others too."""
    return reachable([node], lambda name: graph.neighbours.get(name, ()))


def _links(graph: Graph, among: frozenset[str]) -> dict[str, str]:
    """Return each node's link, named after one of its nodes."""

    def same_type(name: str) -> Iterable[str]:
        kind = graph.by_id[name].type
        return (o for o in graph.neighbours[name] if o in among and graph.by_id[o].type == kind)

    links: dict[str, str] = {}
    for name in among:
        if name not in links:
            links |= dict.fromkeys(reachable([name], same_type), name)
    return links


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


def measure(graph: Graph, concept: Concept, methodology: Methodology) -> Metrics:
    elements = coverage(graph, concept, methodology)
    lengths = chain_lengths(graph, methodology)
    return Metrics(
        node_count=len(graph.nodes),
        edge_count=len(graph.edges),
        max_depth=max(lengths.values(), default=0),
        lengths=lengths,
        complete=complete_climbs(graph, methodology),
        orphan_count=sum(not others for others in graph.neighbours.values()),
        coverage_breadth=sum(one.covered for one in elements) / len(elements),
        depth=sum(one.depth_score for one in elements) / len(elements),
        coverage=elements,
    )
