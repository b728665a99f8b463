"""Layered layout of a graph: one row per rung, the lowest at the bottom.

The method of Sugiyama, Tagawa and Toda (1981) with the rungs as its layers: an edge gets a place
of its own in each row that it passes, and every row is sorted by the mean place of what its members
are tied to. Connected parts stand side by side, on as many shelves as they need. Units are pixels.
"""

import math
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise, product
from statistics import fmean

NAMES = 104  # to the left of the rows, for the rungs' names
BOX_WIDTH, BOX_HEIGHT = 150, 58
APART = 20  # between neighbours in a row
BETWEEN = 44  # rows
ROW = BOX_HEIGHT + BETWEEN
MARGIN = 16
WIDTH = 960  # of a shelf, unless one connected part is wider
PASSING = 10  # room for an edge that passes a row
PASSES = 16
ARCH = 32  # how high an edge between two nodes of one row is pulled

Edge = tuple[str, str]
Place = str | tuple[int, int]  # a node, or (edge, rung) where an edge passes a row


@dataclass
class Layout:
    """Middles of nodes, SVG paths of edges in their order, and the middles of each shelf's rows."""

    nodes: dict[str, tuple[float, float]] = field(default_factory=dict)
    paths: list[str] = field(default_factory=list)
    rows: list[tuple[int, float]] = field(default_factory=list)  # rung, middle
    width: float = WIDTH
    height: float = 0.0


class ConnectedPart:
    """A connected part of a graph, or some of the nodes that are tied to nothing."""

    def __init__(self, rungs: Mapping[str, int], edges: Mapping[int, Edge]) -> None:
        self.ways = {number: _places(number, *edge, rungs) for number, edge in edges.items()}
        self.x: dict[Place, float] = {}
        self._near: dict[Place, dict[Place, None]] = defaultdict(dict)  # in order
        rows: dict[int, dict[Place, None]] = defaultdict(dict)
        for way in self.ways.values():
            for one, other in pairwise(way):
                self._near[one][other] = None
                self._near[other][one] = None
        for place in (*rungs, *(place for way in self.ways.values() for place in way)):
            rows[rungs[place] if isinstance(place, str) else place[1]][place] = None
        self._rows = [list(rows[rung]) for rung in sorted(rows)]
        self._row_of = {place: number for number, row in enumerate(self._rows) for place in row}
        self._arrange()

    @property
    def width(self) -> float:
        return max(x + _width(place) / 2 for place, x in self.x.items())

    def _arrange(self) -> None:
        """Sweep up and down, and keep the latest of the orders with the fewest crossings."""
        for row in self._rows:
            self._put(row, [0.0] * len(row))
        best, fewest = self.x, math.inf
        for number in range(PASSES):
            for row in self._rows if number % 2 else self._rows[::-1]:
                self._sweep(row, also_equal=number % 4 > 1)
            if (crossings := self._all_crossings()) <= fewest:
                best, fewest = self.x, crossings
        left = min(x - _width(place) / 2 for place, x in best.items())
        self.x = {place: x - left for place, x in best.items()}

    def _sweep(self, row: list[Place], *, also_equal: bool) -> None:
        wished = {place: self._mean_place(place) for place in row}
        row.sort(key=lambda place: (wished[place], self.x[place]))
        for left in range(len(row) - 1):  # swap neighbours whose edges cross less that way
            one, other = row[left : left + 2]
            if self._crossings(other, one) < self._crossings(one, other) + also_equal:
                row[left : left + 2] = other, one
        self._put(row, [wished[place] for place in row])

    def _all_crossings(self) -> int:
        found = 0
        for number, row in enumerate(self._rows):
            seen: list[float] = []  # where edges upward from places further left end
            for place in row:
                ends = [self.x[one] for one in self._near[place] if self._row_of[one] > number]
                found += sum(len(seen) - bisect_right(seen, end) for end in ends)
                seen = sorted(seen + ends)
        return found

    def _mean_place(self, place: Place) -> float:
        near = self._near[place]
        return fmean(self.x[other] for other in near) if near else self.x[place]

    def _crossings(self, left: Place, right: Place) -> int:
        ends = product(self._near[left], self._near[right])
        return sum(self._row_of[a] == self._row_of[b] and self.x[a] > self.x[b] for a, b in ends)

    def _put(self, row: Sequence[Place], wished: Sequence[float]) -> None:
        spread = _spread(wished, [_width(place) + APART for place in row])
        self.x = self.x | dict(zip(row, spread, strict=True))


def lay_out(rungs: Mapping[str, int], edges: Sequence[Edge]) -> Layout:
    layout = Layout(paths=[""] * len(edges))
    count = max(rungs.values(), default=0) + 1
    left, bottom = float(NAMES), count * ROW - BETWEEN + ARCH
    layout.rows = _rows(count, bottom)
    for part in _parts(rungs, edges):
        if left > NAMES and left + part.width + MARGIN > WIDTH:
            left, bottom = float(NAMES), bottom + count * ROW + MARGIN
            layout.rows += _rows(count, bottom)
        _place(part, layout, rungs, left, bottom)
        layout.width = max(layout.width, left + part.width + MARGIN)
        left += part.width + APART
    layout.height = bottom + MARGIN / 2
    return layout


def _rows(count: int, bottom: float) -> list[tuple[int, float]]:
    return [(rung, _middle(rung, bottom)) for rung in reversed(range(count))]


def _middle(rung: int, bottom: float) -> float:
    return bottom - rung * ROW - BOX_HEIGHT / 2


def _parts(rungs: Mapping[str, int], edges: Sequence[Edge]) -> Iterator[ConnectedPart]:
    """The connected parts, the largest first; nodes without edges come last, a few per row."""
    import networkx as nx  # only here, since a start needn't wait for it

    graph = nx.Graph(edges)
    for names in sorted(nx.connected_components(graph), key=len, reverse=True):
        inside = {number: edge for number, edge in enumerate(edges) if edge[0] in names}
        yield ConnectedPart({name: rung for name, rung in rungs.items() if name in names}, inside)
    most = int((WIDTH - NAMES - MARGIN + APART) // (BOX_WIDTH + APART))
    alone: dict[int, dict[str, int]] = defaultdict(dict)
    seen: dict[int, int] = defaultdict(int)
    for name, rung in rungs.items():
        if name not in graph:
            alone[seen[rung] // most][name] = rung
            seen[rung] += 1
    for some in alone.values():
        yield ConnectedPart(some, {})


def _places(number: int, source: str, target: str, rungs: Mapping[str, int]) -> list[Place]:
    start, end = rungs[source], rungs[target]
    step = 1 if end >= start else -1
    return [source, *((number, rung) for rung in range(start + step, end, step)), target]


def _width(place: Place) -> float:
    return BOX_WIDTH if isinstance(place, str) else PASSING


def _spread(wished: Sequence[float], widths: Sequence[float]) -> Iterable[float]:
    """Keep places in order and a width apart, as near to the wished ones as least squares allow."""
    ends = [0.0]
    for one, other in pairwise(widths):
        ends.append(ends[-1] + (one + other) / 2)
    blocks: list[list[float]] = []
    for wish, end in zip(wished, ends, strict=True):
        blocks.append([wish - end])
        while len(blocks) > 1 and fmean(blocks[-2]) >= fmean(blocks[-1]):
            last = blocks.pop()
            blocks[-1] += last
    starts = [fmean(block) for block in blocks for _ in block]
    return [start + end for start, end in zip(starts, ends, strict=True)]


def _place(
    part: ConnectedPart, layout: Layout, rungs: Mapping[str, int], left: float, bottom: float
) -> None:
    points: dict[Place, tuple[float, float]] = {}
    for place, x in part.x.items():
        rung = rungs[place] if isinstance(place, str) else place[1]
        points[place] = (round(x + left, 1), _middle(rung, bottom))
    layout.nodes |= {place: at for place, at in points.items() if isinstance(place, str)}
    for number, way in part.ways.items():
        layout.paths[number] = _path([points[place] for place in way])


def _path(points: Sequence[tuple[float, float]]) -> str:
    (x, y), (_, end) = points[0], points[-1]
    half = BOX_HEIGHT / 2 if end <= y else -BOX_HEIGHT / 2
    pieces = [f"M{x} {y - half}"]
    if end == y:
        high = y - half - ARCH
        return f"{pieces[0]}C{x} {high} {points[-1][0]} {high} {points[-1][0]} {y - half - 1}"
    for (x, y), (x2, y2) in pairwise(points):
        begin, stop = y - half, y2 + half
        middle = (begin + stop) / 2
        pieces.append(f"C{x} {middle} {x2} {middle} {x2} {stop}V{y2 - half}")
    return "".join(pieces).rpartition("V")[0]
