import csv
from collections.abc import Iterable, Sequence
from datetime import date, time
from itertools import islice
from typing import Any

from openpyxl import load_workbook
from openpyxl.utils import get_column_letter
from openpyxl.workbook import Workbook

from plans.documents.containers import rebuild
from plans.documents.decoder import decode
from plans.documents.limits import CELLS, SPAN
from plans.documents.problems import Reason, Unreadable
from plans.documents.types import Parts, Unit
from plans.text import tidy

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


def workbook_parts(content: bytes) -> Parts:
    """Return rows as “A2: Basic | B2: =B1*2 → 20”, sheet by sheet; hidden sheets are marked."""
    container = rebuild(content)
    formulas, values = _open(container, data_only=False), _open(container, data_only=True)
    parts, budget = Parts(), CellBudget()
    for sheet, twin in zip(formulas.worksheets, values.worksheets, strict=True):
        sheet.reset_dimensions()  # a sheet may claim any size
        twin.reset_dimensions()
        hidden = sheet.sheet_state != "visible"
        add_rows(parts, _rows(sheet, twin), budget, tidy(sheet.title), hidden)
    return parts


def _open(container: Any, data_only: bool) -> Workbook:
    return load_workbook(container, read_only=True, data_only=data_only, keep_links=False)


def _rows(sheet: Any, twin: Any) -> Iterable[Row]:
    both = zip(sheet.iter_rows(), twin.iter_rows(), strict=True)
    for number, (row, values) in enumerate(both, 1):
        yield number, [_cell_text(*pair) for pair in zip(row, values, strict=True)]


def _cell_text(cell: Any, twin: Any) -> str:
    if cell.value is None:
        return ""
    if cell.data_type != "f":
        return _value_text(cell.value)
    formula = getattr(cell.value, "text", None) or cell.value
    value = "" if twin.value is None else f" → {_value_text(twin.value)}"
    return f"{_value_text(formula)}{value}"


def _value_text(value: object) -> str:
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, date | time):
        return value.isoformat().replace("T00:00:00", "").replace("T", " ")
    return " ".join(tidy(str(value)).split())
