from collections.abc import Iterable
from datetime import date, time
from typing import Any

from openpyxl import load_workbook
from openpyxl.workbook import Workbook

from plans.documents.containers import rebuild
from plans.documents.parts import Parts
from plans.documents.tables import CellBudget, Row, add_rows
from plans.text import tidy


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
