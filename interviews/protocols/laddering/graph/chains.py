"""The longest chain of distinct types.

A chain is a run of nodes, each tied to the next in either direction, that goes from type to type
and never back to one that it has left. Nodes of one type that are tied to each other are one link:
attribute, consequence, consequence, value is a chain of three.

Chains are grown from each link one link at a time, and two that end at the same link with the same
types are one. So there are at most links x 2^(types - 1) of them, however the nodes are tied.
"""

from collections.abc import Callable, Collection, Iterable

from interviews.protocols.laddering.graph.types import Graph


def longest_chain(graph: Graph, among: Collection[str]) -> int:
    """Return how many links the longest chain among these nodes has; 0 without nodes."""
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


def chain_lengths(graph: Graph) -> dict[str, int]:
    lengths: dict[str, int] = {}
    for node in graph.nodes:
        if node.id not in lengths:
            part = _reachable(node.id, lambda name: graph.neighbours[name])
            lengths |= dict.fromkeys(part, longest_chain(graph, part))
    return lengths


def _reachable(start: str, neighbours: Callable[[str], Iterable[str]]) -> set[str]:
    found, waiting = {start}, [start]
    while waiting:
        new = [other for other in neighbours(waiting.pop()) if other not in found]
        found.update(new)
        waiting += new
    return found


def _links(graph: Graph, among: frozenset[str]) -> dict[str, str]:
    """Return each node's link, named after one of its nodes."""

    def same_type(name: str) -> Iterable[str]:
        kind = graph.by_id[name].type
        return (o for o in graph.neighbours[name] if o in among and graph.by_id[o].type == kind)

    links: dict[str, str] = {}
    for name in among:
        if name not in links:
            links |= dict.fromkeys(_reachable(name, same_type), name)
    return links
