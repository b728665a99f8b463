"""The implication matrix: in how many interviews one thing led to another; the value map of it.

Each interview counts once in a cell: as direct if it ties the two to each other, else as indirect
if it leads from one to the other over things between.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from interviews.protocols.laddering.codes.pooled_codes import CodePool


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


class ValueMap(NamedTuple):
    lines: tuple[MatrixCell, ...]  # what led to what in enough interviews
    share: float  # of all direct ties, how many are drawn


def value_map(cells: Iterable[MatrixCell], cut_off: int) -> ValueMap:
    """Return the map with the lines that at least so many interviews hold, however indirectly.

    A line needs one interview that holds it directly.
    """
    direct = [cell for cell in cells if cell.direct]
    lines = tuple(cell for cell in direct if cell.total >= cut_off)
    every = sum(cell.direct for cell in direct)
    return ValueMap(lines, sum(cell.direct for cell in lines) / every if every else 0.0)


def shares(cells: Sequence[MatrixCell], most: int) -> dict[int, float]:
    """Return the share of direct ties that each cut-off from 1 to `most` draws, if above 0."""
    found = {cut: value_map(cells, cut).share for cut in range(1, most + 1)}
    return {cut: share for cut, share in found.items() if share}
