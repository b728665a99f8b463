"""The graphs of several interviews, with what means the same taken together.

Nodes of one type that mean the same, in whichever interview, are one code, called by the words in
which it came up first.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from interviews.protocols.laddering.graph.similarity import same_meaning
from interviews.protocols.laddering.graph.types import Graph, GraphNode
from plans.similarity import normalise

PREFIX = 4  # letters; only texts that share the beginning of a word are compared in full


@dataclass(frozen=True, slots=True)
class ConceptCode:
    id: str
    text: str
    type: str
    sessions: tuple[str, ...]  # in which it was said
    nodes: tuple[tuple[str, str], ...]  # session and id of each node behind it


@dataclass(frozen=True, slots=True)
class CodePool:
    codes: tuple[ConceptCode, ...]  # in the order in which they came up
    pairs: Mapping[str, frozenset[tuple[str, str]]]  # session -> which code led to which


class _Coder:
    def __init__(self) -> None:
        self.nodes: list[list[tuple[str, GraphNode]]] = []  # behind each code
        self.by_text: dict[tuple[str, str], int] = {}
        self.by_prefix: dict[tuple[str, str], list[int]] = {}

    def add(self, session: str, node: GraphNode) -> int:
        plain = normalise(node.text)
        prefixes = _prefixes(node.type, plain)
        place = self.by_text.get((node.type, plain))
        if place is None:
            near = {p for key in prefixes for p in self.by_prefix.get(key, ())}
            alike = (p for p in sorted(near) if same_meaning(self.nodes[p][0][1].text, plain))
            place = next(alike, None)
        if place is None:
            place = len(self.nodes)
            self.nodes.append([])
            for key in prefixes:
                self.by_prefix.setdefault(key, []).append(place)
        self.by_text[node.type, plain] = place
        self.nodes[place].append((session, node))
        return place


def pool_codes(graphs: Mapping[str, Graph], relations: Iterable[str] = ("leads_to",)) -> CodePool:
    """Return the codes of all sessions' graphs, and what leads to what by these relations."""
    coder, kept = _Coder(), frozenset(relations)
    pairs: dict[str, frozenset[tuple[str, str]]] = {}
    for session, graph in graphs.items():
        code = {node.id: f"c{coder.add(session, node) + 1}" for node in graph.nodes}
        found = {(code[e.source], code[e.target]) for e in graph.edges if e.relation in kept}
        pairs[session] = frozenset(pair for pair in found if pair[0] != pair[1])
    codes = (
        ConceptCode(
            id=f"c{number}",
            text=nodes[0][1].text,
            type=nodes[0][1].type,
            sessions=tuple(dict.fromkeys(session for session, _ in nodes)),
            nodes=tuple((session, node.id) for session, node in nodes),
        )
        for number, nodes in enumerate(coder.nodes, 1)
    )
    return CodePool(tuple(codes), pairs)


def _prefixes(kind: str, plain: str) -> set[tuple[str, str]]:
    words = plain.split()
    long = [word for word in words if len(word) >= PREFIX] or words
    return {(kind, word[:PREFIX]) for word in long}
