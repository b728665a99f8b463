"""The implication matrix, the value map and the codes as files.

They are written as every export is, so that no cell is taken for a formula.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import attrgetter
from typing import Any, NamedTuple

from interviews.exports.columns import AnyTable, Column, Table, Type
from interviews.exports.formats import csv
from interviews.protocols.laddering.admin.pooled import NumberedCode, PooledLadders
from interviews.protocols.laddering.exports.matrix import MatrixCell


class MatrixRow(NamedTuple):
    """One code with the cells in which it leads to others, by their numbers."""

    source: NumberedCode
    cells: dict[int, MatrixCell]


class MatrixGrid(NamedTuple):
    """The matrix as a page shows it: each cell with whether the value map draws it."""

    columns: Sequence[NumberedCode]
    rows: Sequence[tuple[NumberedCode, Sequence[tuple[MatrixCell | None, bool]]]]


class MatrixRelation(NamedTuple):
    """One cell with both of its ends."""

    source: NumberedCode
    target: NumberedCode
    cell: MatrixCell


def matrix_rows(ladders: PooledLadders, codes: tuple[NumberedCode, ...]) -> list[MatrixRow]:
    """The rows of these codes; columns of others are left out."""
    shown = {one.code.id: one.number for one in codes}
    rows: dict[str, dict[int, MatrixCell]] = {one.code.id: {} for one in codes}
    for cell in ladders.cells:
        if cell.source in shown and cell.target in shown:
            rows[cell.source][shown[cell.target]] = cell
    return [MatrixRow(one, rows[one.code.id]) for one in codes]


def grid(
    ladders: PooledLadders, codes: Iterable[NumberedCode], drawn: Iterable[MatrixCell]
) -> MatrixGrid:
    """The cells between these codes, without rows and columns that hold none."""
    lines = frozenset(drawn)
    listed = tuple(sorted(codes, key=attrgetter("number")))
    rows = [row for row in matrix_rows(ladders, listed) if row.cells]
    reached = {number for row in rows for number in row.cells}
    columns = [one for one in listed if one.number in reached]
    cells = [[row.cells.get(one.number) for one in columns] for row in rows]
    marked = [[(cell, cell in lines) for cell in line] for line in cells]
    return MatrixGrid(columns, [(row.source, line) for row, line in zip(rows, marked, strict=True)])


def lines_of(ladders: PooledLadders, cells: tuple[MatrixCell, ...]) -> list[MatrixRelation]:
    """The cells with their ends, the most frequent first."""
    known = ladders.by_code
    lines = [MatrixRelation(known[cell.source], known[cell.target], cell) for cell in cells]
    return sorted(lines, key=lambda line: -line.cell.total)


def matrix_csv(ladders: PooledLadders) -> Iterator[bytes]:
    """A row and a column for each code that is tied to another."""
    columns = (
        Column("number", Type.INTEGER, "", attrgetter("source.number")),
        Column("code", Type.STRING, "", attrgetter("source.code.text")),
        Column("type", Type.STRING, "", attrgetter("source.type")),
        *(Column(str(one.number), Type.STRING, "", _cell(one.number)) for one in ladders.tied),
    )
    return _written("matrix", columns, matrix_rows(ladders, ladders.tied))


def _cell(number: int) -> Callable[[MatrixRow], str | None]:
    return lambda row: str(row.cells[number]) if number in row.cells else None


def map_csv(ladders: PooledLadders, cut_off: int) -> Iterator[bytes]:
    """A row for each line of the value map."""
    columns = (
        *_ends("source"),
        *_ends("target"),
        Column("direct", Type.INTEGER, "", attrgetter("cell.direct")),
        Column("indirect", Type.INTEGER, "", attrgetter("cell.indirect")),
        Column("interviews", Type.INTEGER, "", attrgetter("cell.total")),
    )
    return _written("map", columns, lines_of(ladders, ladders.map_from(cut_off).lines))


def _ends(end: str) -> tuple[Column[MatrixRelation], ...]:
    return (
        Column(f"{end}_number", Type.INTEGER, "", attrgetter(f"{end}.number")),
        Column(end, Type.STRING, "", attrgetter(f"{end}.code.text")),
        Column(f"{end}_type", Type.STRING, "", attrgetter(f"{end}.type")),
    )


def codes_csv(ladders: PooledLadders) -> Iterator[bytes]:
    """A row for each code, those that are tied to nothing among them."""
    columns = (
        Column("number", Type.INTEGER, "", attrgetter("number")),
        Column("code", Type.STRING, "", attrgetter("code.text")),
        Column("type", Type.STRING, "", attrgetter("type")),
        Column("interviews", Type.INTEGER, "", attrgetter("interviews")),
        Column("nodes", Type.STRING, "", _nodes),
    )
    return _written("codes", columns, ladders.codes)


def _nodes(one: NumberedCode) -> str:
    """The nodes behind a code, each as the id of its interview and its key there."""
    return "\n".join(f"{session} {node}" for session, node in one.code.nodes)


def _written(name: str, columns: tuple[Column[Any], ...], rows: Any) -> Iterator[bytes]:
    table: AnyTable = Table(name, "", columns, lambda chosen: iter(()))
    return csv.write(table, rows, True)
