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
    source: NumberedCode
    cells: dict[int, MatrixCell]  # by the number of the code that it leads to


class MatrixGrid(NamedTuple):
    columns: Sequence[NumberedCode]
    # source, then each cell with whether the value map draws it
    rows: Sequence[tuple[NumberedCode, Sequence[tuple[MatrixCell | None, bool]]]]


class MatrixRelation(NamedTuple):
    source: NumberedCode
    target: NumberedCode
    cell: MatrixCell


def matrix_rows(ladders: PooledLadders, codes: tuple[NumberedCode, ...]) -> list[MatrixRow]:
    numbers = {one.code.id: one.number for one in codes}
    rows: dict[str, dict[int, MatrixCell]] = {one.code.id: {} for one in codes}
    for cell in ladders.cells:
        if cell.source in numbers and cell.target in numbers:
            rows[cell.source][numbers[cell.target]] = cell
    return [MatrixRow(one, rows[one.code.id]) for one in codes]


def matrix_grid(
    ladders: PooledLadders, codes: Iterable[NumberedCode], lines: Iterable[MatrixCell]
) -> MatrixGrid:
    drawn = frozenset(lines)
    listed = tuple(sorted(codes, key=attrgetter("number")))
    rows = [row for row in matrix_rows(ladders, listed) if row.cells]
    reached = {number for row in rows for number in row.cells}
    columns = [one for one in listed if one.number in reached]
    cells = [(row.source, [row.cells.get(one.number) for one in columns]) for row in rows]
    return MatrixGrid(
        columns, [(source, [(cell, cell in drawn) for cell in row]) for source, row in cells]
    )


def map_lines(ladders: PooledLadders, cells: tuple[MatrixCell, ...]) -> list[MatrixRelation]:
    known = ladders.by_code
    lines = [MatrixRelation(known[cell.source], known[cell.target], cell) for cell in cells]
    return sorted(lines, key=lambda line: -line.cell.total)


def matrix_csv(ladders: PooledLadders, cut_off: int) -> Iterator[bytes]:
    columns = (
        _integer("number", "source.number"),
        _string("code", "source.code.text"),
        _string("type", "source.type"),
        *(Column(str(one.number), Type.STRING, "", _cell(one.number)) for one in ladders.tied),
    )
    return _csv("matrix", columns, matrix_rows(ladders, ladders.tied))


def _cell(number: int) -> Callable[[MatrixRow], str | None]:
    return lambda row: str(row.cells[number]) if number in row.cells else None


def map_csv(ladders: PooledLadders, cut_off: int) -> Iterator[bytes]:
    columns = (
        _integer("source_number", "source.number"),
        _string("source", "source.code.text"),
        _string("source_type", "source.type"),
        _integer("target_number", "target.number"),
        _string("target", "target.code.text"),
        _string("target_type", "target.type"),
        _integer("direct", "cell.direct"),
        _integer("indirect", "cell.indirect"),
        _integer("interviews", "cell.total"),
    )
    return _csv("map", columns, map_lines(ladders, ladders.map_from(cut_off).lines))


def codes_csv(ladders: PooledLadders, cut_off: int) -> Iterator[bytes]:
    columns = (
        _integer("number", "number"),
        _string("code", "code.text"),
        _string("type", "type"),
        _integer("interviews", "interviews"),
        _integer("code_id", "code.key"),
        Column("nodes", Type.STRING, "", _nodes),
    )
    return _csv("codes", columns, ladders.codes)


def _nodes(one: NumberedCode) -> str:
    return "\n".join(f"{session} {node}" for session, node in one.code.nodes)


def _integer(name: str, attribute: str) -> Column[Any]:
    return Column(name, Type.INTEGER, "", attrgetter(attribute))


def _string(name: str, attribute: str) -> Column[Any]:
    return Column(name, Type.STRING, "", attrgetter(attribute))


def _csv(name: str, columns: tuple[Column[Any], ...], rows: Any) -> Iterator[bytes]:
    table: AnyTable = Table(name, "", columns, lambda chosen: iter(()))
    return csv.write(table, rows, True)
