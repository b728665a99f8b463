"""Merge what an answer says into the graph.

Ids are given in the order in which things were said, so the same answers make the same graph. Texts
that are equal but for case and punctuation are one node whatever type they were given; texts that
only mean the same are one node if their types agree.
"""

from collections.abc import Collection
from dataclasses import replace
from itertools import count

from interviews.protocols.laddering.graph.similarity import find_elements, opposite, same_meaning
from interviews.protocols.laddering.graph.types import (
    Change,
    ExtractedConcept,
    ExtractedRelation,
    Graph,
    GraphEdge,
    GraphExtraction,
    GraphNode,
    RejectedPart,
)
from plans.protocols.laddering.schema.concept import Concept
from plans.protocols.laddering.schema.methodology import Methodology
from plans.similarity import normalise

CONTRADICTS = "contradicts"  # a relation that ties nothing: what was said earlier is denied


def update_graph(
    graph: Graph,
    extraction: GraphExtraction,
    turn: int,
    position: int,
    methodology: Methodology,
    concept: Concept,
) -> tuple[Graph, Change]:
    """Return the graph with the answer at that position in it, and what that changed.

    What the methodology doesn't allow, and what ties a node to itself or to nothing, is refused and
    listed in the change.
    """
    update = _GraphUpdate(graph, turn, position, methodology, concept)
    for found in extraction.concepts:
        update.add_concept(found)
    for relation in extraction.relations:
        update.add_relation(relation)
    return Graph(tuple(update.nodes.values()), tuple(update.edges.values())), Change(
        added=tuple(update.added),
        merged=tuple(update.merged),
        tied=tuple(update.edges[key] for key in update.tied),
        contradicted=tuple(dict.fromkeys(update.contradicted)),
        refused=tuple(update.refused),
    )


class _GraphUpdate:
    def __init__(
        self, graph: Graph, turn: int, position: int, methodology: Methodology, concept: Concept
    ) -> None:
        self.turn, self.position = turn, position
        self.methodology, self.concept = methodology, concept
        self.nodes = dict(graph.by_id)
        self.edges = {edge.key: edge for edge in graph.edges}
        self.by_text = {normalise(node.text): node.id for node in reversed(graph.nodes)}
        self.added: list[str] = []
        self.merged: list[str] = []
        self.tied: list[tuple[str, str, str]] = []
        self.contradicted: list[tuple[str, str]] = []
        self.refused: list[RejectedPart] = []

    def add_concept(self, found: ExtractedConcept) -> None:
        if not normalise(found.text):
            self.refused.append(RejectedPart(found, "says nothing"))
            return
        if found.type not in self.methodology.types:
            self.refused.append(RejectedPart(found, "is of no type of the ladder"))
            return
        about = {*find_elements(found.text, self.concept.elements), *found.elements}
        elements = tuple(e.id for e in self.concept.elements if e.id in about)
        known = self._find(found.text, {found.type})
        if known is None:
            self._create(found, elements)
        else:
            self._merge(self.nodes[known], elements)

    def add_relation(self, found: ExtractedRelation) -> None:
        source = self._find(found.source, self.methodology.types)
        target = self._find(found.target, self.methodology.types)
        if source is None or target is None:
            self.refused.append(RejectedPart(found, "one of its ends is not in the graph"))
            return
        if found.relation == CONTRADICTS:
            if source in self.added and target not in self.added:
                self.contradicted.append((target, source))
            return
        if why := self._refusal(found.relation, self.nodes[source], self.nodes[target]):
            self.refused.append(RejectedPart(found, why))
            return
        key = (source, target, found.relation)
        known = self.edges.get(key)
        if known is None:
            self.tied.append(key)
        self.edges[key] = GraphEdge(*key, self._positions(known.positions if known else ()))

    def _find(self, text: str, types: Collection[str]) -> str | None:
        """Return the node that the text means: in the same words, or similar and of these types."""
        plain = normalise(text)
        if plain in self.by_text:
            return self.by_text[plain]
        nodes = self.nodes.values()
        alike = (n.id for n in nodes if n.type in types and same_meaning(n.text, plain))
        return next(alike, None)

    def _create(self, found: ExtractedConcept, elements: tuple[str, ...]) -> None:
        names = (f"n{number}" for number in count(len(self.nodes) + 1))
        name = next(one for one in names if one not in self.nodes)  # some may have gone
        text, positions = " ".join(found.text.split()), (self.position,)
        self.nodes[name] = GraphNode(name, text, found.type, positions, self.turn, elements)
        self.by_text[normalise(text)] = name
        denied = (n.id for n in self.nodes.values() if n.created < self.turn)
        self.contradicted += [(o, name) for o in denied if opposite(self.nodes[o].text, text)]
        self.added.append(name)

    def _merge(self, node: GraphNode, elements: tuple[str, ...]) -> None:
        self.nodes[node.id] = replace(
            node,
            positions=self._positions(node.positions),
            elements=(*node.elements, *(e for e in elements if e not in node.elements)),
        )
        if node.id not in self.added and node.id not in self.merged:
            self.merged.append(node.id)

    def _positions(self, known: tuple[int, ...]) -> tuple[int, ...]:
        return known if self.position in known else (*known, self.position)

    def _refusal(self, relation: str, source: GraphNode, target: GraphNode) -> str:
        if source.id == target.id:
            return "ties a node to itself"
        if not self.methodology.allows(relation, source.type, target.type):
            return f"{relation} may not lead from {source.type} to {target.type}"
        return ""
