"""The graphs of several interviews, with what means the same taken together.

A node counts as the code that it is stored under. Others of one type that mean the same, in
whichever interview, are one code, called by the words in which it came up first.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from interviews.protocols.laddering.graph.similarity import same_meaning
from interviews.protocols.laddering.graph.types import Graph
from plans.similarity import normalise

PREFIX = 4  # letters; only texts that share the beginning of a word are compared in full
Place = TypeVar("Place")
SessionNode = tuple[str, str]  # session and id of the node in it


@dataclass(frozen=True, slots=True)
class StoredCode:
    key: int
    text: str
    type: str


StoredCodes = dict[str, dict[str, StoredCode]]  # session -> node -> its code


@dataclass(frozen=True, slots=True)
class ConceptCode:
    id: str
    text: str
    type: str
    sessions: tuple[str, ...]  # in which it was said
    nodes: tuple[SessionNode, ...]  # behind it
    key: int = 0  # of the stored code


@dataclass(frozen=True, slots=True)
class CodePool:
    codes: tuple[ConceptCode, ...]  # in the order in which they came up
    pairs: Mapping[str, frozenset[tuple[str, str]]]  # session -> which code led to which


class Coder(Generic[Place]):
    """Finds the code whose texts say the same as another text, each type for itself."""

    def __init__(self) -> None:
        self._by_text: dict[tuple[str, str], Place] = {}
        self._by_prefix: dict[tuple[str, str], dict[int, None]] = defaultdict(dict)
        self._compared: list[tuple[Place, str]] = []

    def find(self, kind: str, text: str) -> Place | None:
        plain = normalise(text)
        if (kind, plain) in self._by_text:
            return self._by_text[kind, plain]
        near = {n for key in _prefixes(kind, plain) for n in self._by_prefix.get(key, ())}
        compared = (self._compared[number] for number in sorted(near))
        return next((place for place, other in compared if same_meaning(other, plain)), None)

    def learn(self, kind: str, text: str, place: Place) -> None:
        """Remember that this text belongs there. What was learnt first wins."""
        plain = normalise(text)
        if self.find(kind, text) != place:
            for key in _prefixes(kind, plain):
                self._by_prefix[key][len(self._compared)] = None
            self._compared.append((place, plain))
        self._by_text.setdefault((kind, plain), place)


def pool_codes(
    graphs: Mapping[str, Graph],
    relations: Iterable[str] = ("leads_to",),
    stored: StoredCodes | None = None,
) -> CodePool:
    """Return the codes of all sessions' graphs, and what leads to what by these relations."""
    coder, kept = Coder[StoredCode](), frozenset(relations)
    nodes: dict[StoredCode, list[SessionNode]] = {}
    pairs: dict[str, frozenset[tuple[str, str]]] = {}
    for session, graph in graphs.items():
        code_of: dict[str, StoredCode] = {}
        coded = (stored or {}).get(session, {})
        for node in graph.nodes:
            code = coded.get(node.id) or coder.find(node.type, node.text)
            code = code or StoredCode(-len(nodes) - 1, node.text, node.type)
            if code.key < 0:
                coder.learn(node.type, node.text, code)
            nodes.setdefault(code, []).append((session, node.id))
            code_of[node.id] = code
        found = {
            (_id(code_of[edge.source]), _id(code_of[edge.target]))
            for edge in graph.edges
            if edge.relation in kept
        }
        pairs[session] = frozenset(pair for pair in found if pair[0] != pair[1])
    codes = (
        ConceptCode(
            id=_id(code),
            text=code.text,
            type=code.type,
            sessions=tuple(dict.fromkeys(session for session, _ in behind)),
            nodes=tuple(behind),
            key=max(0, code.key),
        )
        for code, behind in nodes.items()
    )
    return CodePool(tuple(codes), pairs)


def _id(code: StoredCode) -> str:
    return f"c{code.key}" if code.key > 0 else f"x{-code.key}"


def _prefixes(kind: str, plain: str) -> set[tuple[str, str]]:
    words = plain.split()
    long = [word for word in words if len(word) >= PREFIX] or words
    return {(kind, word[:PREFIX]) for word in long}
