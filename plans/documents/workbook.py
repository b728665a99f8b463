"""Excel workbooks: each sheet's cells, formulas beside the values they had when it was saved."""

from collections.abc import Iterable
from datetime import date, time
from typing import Any

from openpyxl import load_workbook
from openpyxl.workbook import Workbook

from plans.documents.containers import remade
from plans.documents.parts import Parts
from plans.documents.tables import CellBudget, Row, add_rows
from plans.text import tidy


def workbook_parts(content: bytes) -> Parts:
    """Rows as “A2: Basic | B2: =B1*2 → 20”, sheet by sheet; hidden sheets are marked."""
    container = remade(content)
    written, valued = _opened(container, False), _opened(container, True)
    parts, budget = Parts(), CellBudget()
    for sheet, twin in zip(written.worksheets, valued.worksheets, strict=True):
        sheet.reset_dimensions()  # a sheet may claim any size
        twin.reset_dimensions()
        hidden = sheet.sheet_state != "visible"
        add_rows(parts, _rows(sheet, twin), budget, tidy(sheet.title), hidden)
    return parts


def _opened(container: Any, values: bool) -> Workbook:
    return load_workbook(container, read_only=True, data_only=values, keep_links=False)


def _rows(sheet: Any, twin: Any) -> Iterable[Row]:
    both = zip(sheet.iter_rows(), twin.iter_rows(), strict=True)
    for number, (row, values) in enumerate(both, 1):
        yield number, [_shown(*pair) for pair in zip(row, values, strict=True)]


def _shown(cell: Any, twin: Any) -> str:
    """A formula with its value, or the value alone."""
    if cell.value is None:
        return ""
    if cell.data_type != "f":
        return _worded(cell.value)
    formula = getattr(cell.value, "text", None) or cell.value
    value = "" if twin.value is None else f" → {_worded(twin.value)}"
    return f"{_worded(formula)}{value}"


def _worded(value: object) -> str:
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, date | time):
        return value.isoformat().replace("T00:00:00", "").replace("T", " ")
    return " ".join(tidy(str(value)).split())
