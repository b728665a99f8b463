"""The implication matrix: in how many interviews one thing led to another; the value map of it.

Each interview counts once in a cell: as direct if it ties the two to each other, else as indirect
if it leads from one to the other over things between.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from interviews.protocols.laddering.codes.pooled_codes import CodePool, ConceptCode


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


@dataclass(frozen=True, slots=True)
class ValueMap:
    """What led to what in enough interviews, from the lowest rung up."""

    rungs: tuple[tuple[str, tuple[ConceptCode, ...]], ...]  # type, its codes that a line touches
    lines: tuple[MatrixCell, ...]
    share: float  # of all direct ties, how many are drawn


def value_map(pool: CodePool, types: tuple[str, ...], cut_off: int) -> ValueMap:
    """Return the map with the lines that at least so many interviews hold, however indirectly.

    A line needs one interview that holds it directly. Codes stand by how many said them.
    """
    cells = [cell for cell in implication_matrix(pool) if cell.direct]
    lines = _cut(cells, cut_off)
    touched = {end for cell in lines for end in (cell.source, cell.target)}
    drawn = sorted((c for c in pool.codes if c.id in touched), key=lambda c: -len(c.sessions))
    rungs = tuple((kind, tuple(code for code in drawn if code.type == kind)) for kind in types)
    return ValueMap(rungs, lines, _share(lines, cells))


def shares(cells: Sequence[MatrixCell], most: int) -> dict[int, float]:
    """Return the share of direct ties that each cut-off from 1 to `most` draws, if above 0."""
    direct = [cell for cell in cells if cell.direct]
    found = {cut: _share(_cut(direct, cut), direct) for cut in range(1, most + 1)}
    return {cut: share for cut, share in found.items() if share}


def _cut(cells: Sequence[MatrixCell], cut_off: int) -> tuple[MatrixCell, ...]:
    return tuple(cell for cell in cells if cell.total >= cut_off)


def _share(lines: Sequence[MatrixCell], cells: Sequence[MatrixCell]) -> float:
    every = sum(cell.direct for cell in cells)
    return sum(cell.direct for cell in lines) / every if every else 0.0
