"""The implication matrix: in how many interviews one thing led to another.

Each interview counts once in a cell: as direct if it ties the two to each other, else as indirect
if it leads from one to the other over things between.
"""

from collections import Counter
from collections.abc import Iterable
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
        """Direct and indirect together."""
        return self.direct + self.indirect

    def __str__(self) -> str:
        """As such studies write it: direct, a dot, indirect in two digits."""
        return f"{self.direct}.{self.indirect:02}"


def implication_matrix(pool: CodePool) -> tuple[MatrixCell, ...]:
    """All cells that are not empty, in the codes' order."""
    direct = Counter(pair for pairs in pool.pairs.values() for pair in pairs)
    indirect = Counter(pair for pairs in pool.pairs.values() for pair in _only_indirect(pairs))
    place = {code.id: i for i, code in enumerate(pool.codes)}
    named = sorted({*direct, *indirect}, key=lambda pair: (place[pair[0]], place[pair[1]]))
    return tuple(MatrixCell(*pair, direct[pair], indirect[pair]) for pair in named)


def _only_indirect(pairs: frozenset[tuple[str, str]]) -> set[tuple[str, str]]:
    """Pairs in which the first leads to the second over others only."""
    ahead: dict[str, set[str]] = {}
    for source, target in pairs:
        ahead.setdefault(source, set()).add(target)
    reached = {(one, other) for one in ahead for other in _reached(ahead, ahead[one])}
    return {pair for pair in reached - pairs if pair[0] != pair[1]}


def _reached(ahead: dict[str, set[str]], begin: Iterable[str]) -> set[str]:
    found = set(begin)
    left = list(found)
    while left:
        new = ahead.get(left.pop(), set()) - found
        found |= new
        left += new
    return found
