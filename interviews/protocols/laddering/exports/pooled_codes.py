"""The graphs of several interviews, with what means the same taken together.

What people say in one interview is compared with what was said in another as it is within one:
nodes of one type that mean the same are one code, called by the words in which it came up first.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from interviews.protocols.laddering.graph.similarity import same
from interviews.protocols.laddering.graph.types import Graph, GraphNode
from plans.similarity import normalise

BEGINNING = 4  # letters; only texts that share the beginning of a word are compared in full
Pairs = set[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class ConceptCode:
    """Something that one or more people said."""

    id: str
    text: str
    type: str
    sessions: tuple[str, ...]  # in which it was said
    nodes: tuple[tuple[str, str], ...]  # session and id of each node behind it


@dataclass(frozen=True, slots=True)
class CodePool:
    """Codes in the order in which they came up; for each session, which code led to which."""

    codes: tuple[ConceptCode, ...]
    pairs: Mapping[str, frozenset[tuple[str, str]]]


class _Coding:
    """The codes while they are being found."""

    def __init__(self) -> None:
        self.nodes: list[list[tuple[str, GraphNode]]] = []  # behind each code
        self.exact: dict[tuple[str, str], int] = {}
        self.beginnings: dict[tuple[str, str], list[int]] = {}

    def place(self, session: str, node: GraphNode) -> int:
        """The place of the code that a node belongs to."""
        plain = normalise(node.text)
        known = self.exact.get((node.type, plain))
        place = self._alike(node, plain) if known is None else known
        if place is None:
            place = len(self.nodes)
            self.nodes.append([])
            for key in _keys(node.type, plain):
                self.beginnings.setdefault(key, []).append(place)
        self.exact[node.type, plain] = place
        self.nodes[place].append((session, node))
        return place

    def _alike(self, node: GraphNode, plain: str) -> int | None:
        near = {p for key in _keys(node.type, plain) for p in self.beginnings.get(key, ())}
        alike = (place for place in sorted(near) if same(self.nodes[place][0][1].text, plain))
        return next(alike, None)


def pooled(graphs: Mapping[str, Graph], relations: Iterable[str] = ("leads_to",)) -> CodePool:
    """The codes of all sessions' graphs, and what leads to what by these relations."""
    coding, kept = _Coding(), frozenset(relations)
    pairs: dict[str, frozenset[tuple[str, str]]] = {}
    for session, graph in graphs.items():
        code = {node.id: f"c{coding.place(session, node) + 1}" for node in graph.nodes}
        found = {(code[e.source], code[e.target]) for e in graph.edges if e.relation in kept}
        pairs[session] = frozenset(pair for pair in found if pair[0] != pair[1])
    codes = tuple(_code(f"c{i + 1}", nodes) for i, nodes in enumerate(coding.nodes))
    return CodePool(codes, pairs)


def _keys(kind: str, plain: str) -> set[tuple[str, str]]:
    """Beginnings of a text's words of some length; of all its words if none has that."""
    words = plain.split()
    long = [word for word in words if len(word) >= BEGINNING] or words
    return {(kind, word[:BEGINNING]) for word in long}


def _code(name: str, nodes: list[tuple[str, GraphNode]]) -> ConceptCode:
    first = nodes[0][1]
    return ConceptCode(
        id=name,
        text=first.text,
        type=first.type,
        sessions=tuple(dict.fromkeys(session for session, _ in nodes)),
        nodes=tuple((session, node.id) for session, node in nodes),
    )
