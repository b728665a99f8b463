"""The implication matrix: in how many interviews one thing led to another.

Each interview counts once in a cell: as direct if it ties the two to each other, else as indirect
if it leads from one to the other over things between.
"""

from collections import Counter
from dataclasses import dataclass

from interviews.protocols.laddering.exports.pooled_codes import CodePool


@dataclass(frozen=True, slots=True)
class MatrixCell:
    """How often one code led to another, in interviews."""

    source: str
    target: str
    direct: int
    indirect: int

    @property
    def total(self) -> int:
        return self.direct + self.indirect

    def __str__(self) -> str:
        """Return it as such studies write it: direct, a dot, indirect in two digits."""
        return f"{self.direct}.{self.indirect:02}"


def implication_matrix(pool: CodePool) -> tuple[MatrixCell, ...]:
    direct = Counter(pair for pairs in pool.pairs.values() for pair in pairs)
    indirect = Counter(pair for pairs in pool.pairs.values() for pair in _only_indirect(pairs))
    place = {code.id: i for i, code in enumerate(pool.codes)}
    named = sorted({*direct, *indirect}, key=lambda pair: (place[pair[0]], place[pair[1]]))
    return tuple(MatrixCell(*pair, direct[pair], indirect[pair]) for pair in named)


def _only_indirect(pairs: frozenset[tuple[str, str]]) -> set[tuple[str, str]]:
    import networkx as nx  # only here, since a start needn't wait for it

    graph = nx.DiGraph(list(pairs))
    return {(one, other) for one in graph for other in nx.descendants(graph, one)} - pairs
