from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple


@dataclass(frozen=True, slots=True)
class GraphNode:
    id: str
    text: str
    type: str
    positions: tuple[int, ...]  # of the answers in the transcript
    created: int  # turn
    elements: tuple[str, ...] = ()  # ids of those that it speaks of


@dataclass(frozen=True, slots=True)
class GraphEdge:
    source: str
    target: str
    relation: str
    positions: tuple[int, ...]  # of the answers in the transcript

    @property
    def key(self) -> tuple[str, str, str]:
        return self.source, self.target, self.relation


@dataclass(frozen=True)
class Graph:
    """Everything that was said, in order. Never changed, only made anew."""

    nodes: tuple[GraphNode, ...] = ()
    edges: tuple[GraphEdge, ...] = ()

    @cached_property
    def by_id(self) -> dict[str, GraphNode]:
        return {node.id: node for node in self.nodes}

    @cached_property
    def neighbours(self) -> dict[str, tuple[str, ...]]:
        found: dict[str, dict[str, None]] = {node.id: {} for node in self.nodes}
        for edge in self.edges:
            found[edge.source][edge.target] = None
            found[edge.target][edge.source] = None
        return {name: tuple(others) for name, others in found.items()}


@dataclass(frozen=True, slots=True)
class ExtractedConcept:
    text: str
    type: str
    elements: tuple[str, ...] = ()  # that it is known to be about


@dataclass(frozen=True, slots=True)
class ExtractedRelation:
    """A tie between two things, each in the words of a concept or of an earlier node."""

    source: str
    target: str
    relation: str


@dataclass(frozen=True, slots=True)
class GraphExtraction:
    """What one answer says."""

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
    contradicted: tuple[tuple[str, str], ...] = ()  # ids: what was said before, what denies it
    refused: tuple[RejectedPart, ...] = ()

    @property
    def touched(self) -> frozenset[str]:
        ends = (end for edge in self.tied for end in (edge.source, edge.target))
        return frozenset((*self.added, *ends))
