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
SAMPLE_LINES = 20

Row = tuple[int, Sequence[str]]


def csv_parts(content: bytes) -> Parts:
    """Return rows as “A2: Basic | B2: 10”, cut into parts."""
    text = decode(content)
    lines = text.split("\n")
    reader = csv.reader(iter(f"{line}\n" for line in lines), delimiter=_delimiter(lines))
    parts = Parts()
    try:
        rows = ([" ".join(cell.split()) for cell in row] for row in reader)
        add_rows(parts, enumerate(rows, 1), CellBudget())
    except csv.Error as error:
        raise Unreadable(Reason.BROKEN) from error
    return parts


def _delimiter(lines: list[str]) -> str:
    sample = [f"{line}\n" for line in lines[:SAMPLE_LINES]]

    def fit(delimiter: str) -> tuple[int, int]:
        try:
            widths = [len(row) for row in csv.reader(sample, delimiter=delimiter) if row]
        except csv.Error:
            return 0, 0
        widths = [width for width in widths if width > 1]
        usual = max(set(widths), key=widths.count, default=0)
        return widths.count(usual), usual

    return max(DELIMITERS, key=fit)


class CellBudget:
    """How many cells a document may still have. Raises Unreadable when spent."""

    def __init__(self) -> None:
        self._filled, self._span = CELLS, SPAN

    def spend(self, row: Sequence[str]) -> None:
        self._span -= len(row) + 1
        self._filled -= sum(map(bool, row))
        if min(self._span, self._filled) < 0:
            raise Unreadable(Reason.TOO_MANY)


def add_rows(
    parts: Parts, rows: Iterable[Row], budget: CellBudget, title: str = "", hidden: bool = False
) -> None:
    filled = _filled_rows(rows, budget)
    while block := list(islice(filled, ROWS)):
        text = "\n".join(_row_text(number, row) for number, row in block)
        first, last = block[0][0], block[-1][0]
        width = get_column_letter(max(len(row) for _, row in block))
        cells = f"A{first}:{width}{last}"
        parts.add(Unit.CELLS, text, title, first=first, last=last, cells=cells, hidden=hidden)


def _row_text(number: int, row: Sequence[str]) -> str:
    cells = (f"{get_column_letter(i)}{number}: {cell}" for i, cell in enumerate(row, 1) if cell)
    return " | ".join(cells)


def _filled_rows(rows: Iterable[Row], budget: CellBudget) -> Iterable[Row]:
    for number, row in rows:
        budget.spend(row)
        if any(row):
            yield number, row
