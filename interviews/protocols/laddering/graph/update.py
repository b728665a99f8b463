"""A graph and what an answer comes to -> the next graph.

Ids are given in the order in which things were said, so the same answers make the same graph. Texts
that are equal but for case and punctuation are one node whatever type they were given; texts that
only mean the same are one node if their types agree.
"""

from collections.abc import Callable, Collection
from dataclasses import replace

from interviews.protocols.laddering.graph.elements import linked
from interviews.protocols.laddering.graph.similarity import same
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

Naming = Callable[[int], str]  # which node it is -> its id


def numbered(number: int) -> str:
    """The id of a node that stays."""
    return f"n{number}"


class _Growing:
    """The next graph while it is being made; lives only as long as one call of `updated`."""

    def __init__(self, graph: Graph, turn: int, position: int, naming: Naming) -> None:
        self.turn, self.position, self.naming = turn, position, naming
        self.nodes = dict(graph.by_id)
        self.edges = {edge.key: edge for edge in graph.edges}
        self.plain = {normalise(node.text): node.id for node in reversed(graph.nodes)}
        self.added: list[str] = []
        self.merged: list[str] = []
        self.tied: list[tuple[str, str, str]] = []
        self.refused: list[RejectedPart] = []

    def graph(self) -> Graph:
        """All of it, as it stands now."""
        return Graph(tuple(self.nodes.values()), tuple(self.edges.values()))

    def change(self) -> Change:
        return Change(
            added=tuple(self.added),
            merged=tuple(self.merged),
            tied=tuple(self.edges[key] for key in self.tied),
            refused=tuple(self.refused),
        )


def updated(
    graph: Graph,
    extraction: GraphExtraction,
    turn: int,
    position: int,
    methodology: Methodology,
    concept: Concept,
    naming: Naming = numbered,
) -> tuple[Graph, Change]:
    """The graph with the answer at that position in it, and what that changed.

    What the methodology doesn't allow, and what ties a node to itself or to nothing, is refused and
    listed in the change.
    """
    growing = _Growing(graph, turn, position, naming)
    for found in extraction.concepts:
        _add(growing, found, methodology, concept)
    for relation in extraction.relations:
        _tie(growing, relation, methodology)
    return growing.graph(), growing.change()


def _add(
    growing: _Growing, found: ExtractedConcept, methodology: Methodology, concept: Concept
) -> None:
    if why := _unfit(found, methodology):
        growing.refused.append(RejectedPart(found, why))
        return
    elements = _elements(found, concept)
    known = _known(growing, found.text, {found.type})
    if known is None:
        _create(growing, found, elements)
    else:
        _say_again(growing, growing.nodes[known], elements)


def _unfit(found: ExtractedConcept, methodology: Methodology) -> str:
    if not normalise(found.text):
        return "says nothing"
    return "" if found.type in methodology.types else "is of no type of the ladder"


def _elements(found: ExtractedConcept, concept: Concept) -> tuple[str, ...]:
    """Those that its words name, and those that it is known to be about; in the concept's order."""
    about = {*linked(found.text, concept.elements), *found.elements}
    return tuple(element.id for element in concept.elements if element.id in about)


def _known(growing: _Growing, text: str, types: Collection[str]) -> str | None:
    """The node that the text means; one that means the same must be of one of these types."""
    plain = normalise(text)
    if plain in growing.plain:
        return growing.plain[plain]
    alike = (n.id for n in growing.nodes.values() if n.type in types and same(n.text, plain))
    return next(alike, None)


def _create(growing: _Growing, found: ExtractedConcept, elements: tuple[str, ...]) -> None:
    name = growing.naming(len(growing.nodes) + 1)
    text = " ".join(found.text.split())
    places = (growing.position,)
    growing.nodes[name] = GraphNode(name, text, found.type, places, growing.turn, elements)
    growing.plain[normalise(text)] = name
    growing.added.append(name)


def _say_again(growing: _Growing, node: GraphNode, elements: tuple[str, ...]) -> None:
    growing.nodes[node.id] = replace(
        node,
        positions=_with(node.positions, growing.position),
        elements=(*node.elements, *(e for e in elements if e not in node.elements)),
    )
    if node.id not in growing.added and node.id not in growing.merged:
        growing.merged.append(node.id)


def _with(positions: tuple[int, ...], position: int) -> tuple[int, ...]:
    return positions if position in positions else (*positions, position)


def _tie(growing: _Growing, found: ExtractedRelation, methodology: Methodology) -> None:
    source = _known(growing, found.source, methodology.types)
    target = _known(growing, found.target, methodology.types)
    if source is None or target is None:
        growing.refused.append(RejectedPart(found, "one of its ends is not in the graph"))
    elif why := _untied(growing.nodes[source], growing.nodes[target], found, methodology):
        growing.refused.append(RejectedPart(found, why))
    else:
        _keep(growing, (source, target, found.relation))


def _untied(
    source: GraphNode, target: GraphNode, found: ExtractedRelation, methodology: Methodology
) -> str:
    if source.id == target.id:
        return "ties a node to itself"
    if not methodology.allows(found.relation, source.type, target.type):
        return f"{found.relation} may not lead from {source.type} to {target.type}"
    return ""


def _keep(growing: _Growing, key: tuple[str, str, str]) -> None:
    known = growing.edges.get(key)
    if known is None:
        growing.tied.append(key)
    places = _with(known.positions if known else (), growing.position)
    growing.edges[key] = GraphEdge(*key, places)
