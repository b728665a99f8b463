"""Nodes, edges, the graph, and what an answer comes to."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple


@dataclass(frozen=True, slots=True)
class GraphNode:
    """Something that was said, with the places where it was."""

    id: str
    text: str
    type: str
    positions: tuple[int, ...]  # of the answers in the transcript
    created: int  # turn
    elements: tuple[str, ...] = ()  # ids of those that it speaks of


@dataclass(frozen=True, slots=True)
class GraphEdge:
    """That one node is tied to another, with the places where it was said."""

    source: str
    target: str
    relation: str
    positions: tuple[int, ...]

    @property
    def key(self) -> tuple[str, str, str]:
        """What there is only one of in a graph."""
        return self.source, self.target, self.relation


@dataclass(frozen=True)
class Graph:
    """All that was said, in the order in which it came up. Never changed, only made anew."""

    nodes: tuple[GraphNode, ...] = ()
    edges: tuple[GraphEdge, ...] = ()

    @cached_property
    def by_id(self) -> dict[str, GraphNode]:
        return {node.id: node for node in self.nodes}

    @cached_property
    def neighbours(self) -> dict[str, tuple[str, ...]]:
        """The nodes tied to each, whichever way, without repetition."""
        found: dict[str, dict[str, None]] = {node.id: {} for node in self.nodes}
        for edge in self.edges:
            found[edge.source][edge.target] = None
            found[edge.target][edge.source] = None
        return {name: tuple(others) for name, others in found.items()}


@dataclass(frozen=True, slots=True)
class ExtractedConcept:
    """Something that an answer speaks of. `elements` are those that it is known to be about."""

    text: str
    type: str
    elements: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ExtractedRelation:
    """That an answer ties two things, each in the words of a concept or of an earlier node."""

    source: str
    target: str
    relation: str


@dataclass(frozen=True, slots=True)
class GraphExtraction:
    """What one answer comes to."""

    concepts: tuple[ExtractedConcept, ...] = ()
    relations: tuple[ExtractedRelation, ...] = ()


class RejectedPart(NamedTuple):
    """A part of an extraction that the graph can't take, and why."""

    what: ExtractedConcept | ExtractedRelation
    why: str


@dataclass(frozen=True, slots=True)
class Change:
    """What an answer did to the graph."""

    added: tuple[str, ...] = ()  # ids of new nodes
    merged: tuple[str, ...] = ()  # ids of nodes that were said again
    tied: tuple[GraphEdge, ...] = ()  # new edges
    refused: tuple[RejectedPart, ...] = field(default=())

    @property
    def touched(self) -> frozenset[str]:
        """Nodes at which the graph is no longer as it was."""
        ends = (end for edge in self.tied for end in (edge.source, edge.target))
        return frozenset((*self.added, *ends))
