"""The longest chain of distinct types.

A chain is a run of nodes, each tied to the next whichever way, that goes from type to type and
never back to one that it has left. Nodes of one type that are tied to each other are one link of
it: attribute, consequence, consequence, value is a chain of three. Types that stand side by side
without an edge are no chain.

From each link chains are grown one link at a time, and two that end at the same link with the same
types are one. So there are at most links x 2^(types - 1) of them, however the nodes are tied, and
the search ends as soon as one holds every type.
"""

from collections.abc import Callable, Collection, Iterable

from interviews.protocols.laddering.graph.types import Graph

Chain = tuple[str, int]  # the link at its end, and its types as bits


def longest_chain(graph: Graph, among: Collection[str]) -> int:
    """How many links the longest chain among these nodes has; 0 without nodes."""
    link = _links(graph, frozenset(among))
    bits = _bits(graph, set(link.values()))
    beside = _beside(graph, link)
    kinds = len(set(bits.values()))
    chains: set[Chain] = set(bits.items())
    length = 0
    while chains:
        length += 1
        chains = _longer(chains, bits, beside) if length < kinds else set()
    return length


def chain_lengths(graph: Graph) -> dict[str, int]:
    """For each node, the longest chain in the part of the graph that it is connected to."""
    lengths: dict[str, int] = {}
    for node in graph.nodes:
        if node.id not in lengths:
            part = _reached(node.id, lambda name: graph.neighbours[name])
            lengths |= dict.fromkeys(part, longest_chain(graph, part))
    return lengths


def _reached(name: str, nearby: Callable[[str], Iterable[str]]) -> set[str]:
    """All that can be reached from a node, itself included."""
    found, ahead = {name}, [name]
    while ahead:
        new = [other for other in nearby(ahead.pop()) if other not in found]
        found.update(new)
        ahead += new
    return found


def _links(graph: Graph, inside: frozenset[str]) -> dict[str, str]:
    """Each node's link, called by one of its nodes."""

    def alike(name: str) -> Iterable[str]:
        kind = graph.by_id[name].type
        return (o for o in graph.neighbours[name] if o in inside and graph.by_id[o].type == kind)

    links: dict[str, str] = {}
    for name in inside:
        if name not in links:
            links |= dict.fromkeys(_reached(name, alike), name)
    return links


def _bits(graph: Graph, names: Collection[str]) -> dict[str, int]:
    """Each one's type as one bit."""
    types = sorted({graph.by_id[name].type for name in names})
    bit = {name: 1 << place for place, name in enumerate(types)}
    return {name: bit[graph.by_id[name].type] for name in names}


def _beside(graph: Graph, link: dict[str, str]) -> dict[str, set[str]]:
    """The links that each one is tied to."""
    found: dict[str, set[str]] = {name: set() for name in link.values()}
    for name, own in link.items():
        found[own].update(link[other] for other in graph.neighbours[name] if other in link)
    return found


def _longer(chains: set[Chain], bits: dict[str, int], beside: dict[str, set[str]]) -> set[Chain]:
    return {
        (other, types | bits[other])
        for end, types in chains
        for other in beside[end]
        if not types & bits[other]
    }
