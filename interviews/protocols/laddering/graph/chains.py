"""The longest chain of distinct types.

A chain is a run of nodes, each tied to the next whichever way, in which no type stands twice. Types
that stand side by side without an edge are no chain.

From each node chains are grown one node at a time, and two that end at the same node with the same
types are one. So there are at most nodes x 2^(types - 1) of them, however the nodes are tied, and
the search ends as soon as one holds every type.
"""

from collections.abc import Collection, Mapping

from interviews.protocols.laddering.graph.types import Graph

Chain = tuple[str, int]  # the node at its end, and its types as bits


def longest_chain(graph: Graph, among: Collection[str]) -> int:
    """How many nodes the longest chain among these nodes has; 0 without nodes."""
    inside = frozenset(among)
    bits = _bits(graph, inside)
    kinds = len(set(bits.values()))
    chains: set[Chain] = set(bits.items())
    length = 0
    while chains:
        length += 1
        chains = _longer(graph, bits, chains) if length < kinds else set()
    return length


def _bits(graph: Graph, inside: frozenset[str]) -> dict[str, int]:
    """Each node's type as one bit."""
    nodes = [node for node in graph.nodes if node.id in inside]
    types = sorted({node.type for node in nodes})
    return {node.id: 1 << types.index(node.type) for node in nodes}


def _longer(graph: Graph, bits: Mapping[str, int], chains: set[Chain]) -> set[Chain]:
    return {
        (other, types | bits[other])
        for end, types in chains
        for other in graph.neighbours[end]
        if other in bits and not types & bits[other]
    }
