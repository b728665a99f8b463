"""Rows of cells, from CSV files and workbooks."""

import csv
from collections.abc import Iterable, Sequence
from itertools import islice

from openpyxl.utils import get_column_letter

from plans.documents.decoder import decode
from plans.documents.limits import CELLS, SPAN
from plans.documents.parts import Parts
from plans.documents.problems import Reason, Unreadable
from plans.documents.types import Unit

DELIMITERS = ",;\t|"
ROWS = 60  # of a part
LOOKED_AT = 20

Row = tuple[int, Sequence[str]]


def csv_parts(content: bytes) -> Parts:
    """Rows as “A2: Basic | B2: 10”, cut into parts."""
    text = decode(content)
    lines = text.split("\n")
    reader = csv.reader(iter(f"{line}\n" for line in lines), delimiter=_delimiter(lines))
    parts = Parts()
    try:
        add_rows(parts, enumerate(_stripped(reader), 1), CellBudget())
    except csv.Error as error:
        raise Unreadable(Reason.BROKEN) from error
    return parts


def _stripped(rows: Iterable[list[str]]) -> Iterable[list[str]]:
    return ([" ".join(cell.split()) for cell in row] for row in rows)


def _delimiter(lines: list[str]) -> str:
    """The one that cuts most of the first lines into the same number of cells, more than one."""
    sample = [f"{line}\n" for line in lines[:LOOKED_AT]]

    def fit(delimiter: str) -> tuple[int, int]:
        try:
            widths = [len(row) for row in csv.reader(sample, delimiter=delimiter) if row]
        except csv.Error:
            return 0, 0
        several = [width for width in widths if width > 1]
        usual = max(set(several), key=several.count, default=0)
        return several.count(usual), usual

    return max(DELIMITERS, key=fit)


class CellBudget:
    """How many cells a document may still have."""

    def __init__(self) -> None:
        self._filled, self._span = CELLS, SPAN

    def spend(self, row: Sequence[str]) -> None:
        """Counts a row. Raises Unreadable once there are too many."""
        self._span -= len(row) + 1
        self._filled -= sum(map(bool, row))
        if min(self._span, self._filled) < 0:
            raise Unreadable(Reason.TOO_MANY)


def add_rows(
    parts: Parts, rows: Iterable[Row], budget: CellBudget, title: str = "", hidden: bool = False
) -> None:
    """Adds rows, some to a part; empty ones are counted and left out."""
    counted = _filled(rows, budget)
    while block := list(islice(counted, ROWS)):
        text = "\n".join(_line(number, row) for number, row in block)
        first, last = block[0][0], block[-1][0]
        width = get_column_letter(max(len(row) for _, row in block))
        cells = f"A{first}:{width}{last}"
        parts.add(Unit.CELLS, text, title, first=first, last=last, cells=cells, hidden=hidden)


def _line(number: int, row: Sequence[str]) -> str:
    named = (f"{get_column_letter(i)}{number}: {cell}" for i, cell in enumerate(row, 1) if cell)
    return " | ".join(named)


def _filled(rows: Iterable[Row], budget: CellBudget) -> Iterable[Row]:
    for number, row in rows:
        budget.spend(row)
        if any(row):
            yield number, row
