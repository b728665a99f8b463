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
    bits = _bits(graph, among)
    kinds = len(set(bits.values()))
    chains: set[Chain] = set(bits.items())
    length = 0
    while chains:
        length += 1
        chains = _longer(graph, bits, chains) if length < kinds else set()
    return length


def chain_lengths(graph: Graph) -> dict[str, int]:
    """For each node, the longest chain in the part of the graph that it is connected to."""
    lengths: dict[str, int] = {}
    for node in graph.nodes:
        if node.id not in lengths:
            part = _connected(graph, node.id)
            lengths |= dict.fromkeys(part, longest_chain(graph, part))
    return lengths


def _connected(graph: Graph, name: str) -> set[str]:
    """All nodes that can be reached from a node, itself included."""
    found, ahead = {name}, [name]
    while ahead:
        new = [other for other in graph.neighbours[ahead.pop()] if other not in found]
        found.update(new)
        ahead += new
    return found


def _bits(graph: Graph, names: Collection[str]) -> dict[str, int]:
    """Each node's type as one bit."""
    types = sorted({graph.by_id[name].type for name in names})
    bit = {name: 1 << place for place, name in enumerate(types)}
    return {name: bit[graph.by_id[name].type] for name in names}


def _longer(graph: Graph, bits: Mapping[str, int], chains: set[Chain]) -> set[Chain]:
    return {
        (other, types | bits[other])
        for end, types in chains
        for other in graph.neighbours[end]
        if other in bits and not types & bits[other]
    }
