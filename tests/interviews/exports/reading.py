"""Exports read back as a researcher's tools would."""

import csv
import io
import json
from collections.abc import Iterable
from typing import Any

from openpyxl import load_workbook
from openpyxl.utils.escape import unescape

from interviews.exports.archive import table_chunks
from interviews.exports.formats import FORMATS
from interviews.exports.formats.cells import FORMULA
from interviews.exports.formats.xlsx import CONTINUED, MARK
from interviews.exports.registry import TABLES
from interviews.exports.selection import Selection


def unescape_formula(cell: str) -> str:
    """What a cell said before `escape_formula`."""
    return cell[1:] if cell[:1] == "'" and FORMULA.match(cell[1:]) else cell


def export(table: str, form: str = "csv", chosen: Selection | None = None, bom=False) -> bytes:
    """The file."""
    return b"".join(table_chunks(TABLES[table], chosen or Selection(), FORMATS[form], bom))


def csv_rows(content: bytes) -> list[dict[str, str]]:
    """Rows of a CSV, as they stand in it."""
    text = io.StringIO(content.decode("utf-8-sig"), newline="")
    return list(csv.DictReader(text, strict=True))


def jsonl_rows(content: bytes) -> list[dict[str, Any]]:
    """Rows of JSON lines."""
    return [json.loads(line) for line in content.decode().split("\n") if line]


def xlsx_rows(content: bytes) -> list[dict[str, Any]]:
    """Rows of a workbook, long texts put together again."""
    book = load_workbook(io.BytesIO(content))
    first, *further = [s for s in book.worksheets if s.title != CONTINUED]
    header = [_as_excel_reads(cell.value) for cell in first[1]]
    found = _rows(first, header)
    for sheet in further:
        found += _rows(sheet, header)
    if CONTINUED in book.sheetnames:
        for _sheet, row, column, _piece, text in book[CONTINUED].iter_rows(2, values_only=True):
            cell = found[row - 2][column]
            found[row - 2][column] = cell.removesuffix(MARK) + unescape_formula(
                _as_excel_reads(text)
            )
    return found


def _rows(sheet: Any, header: list[str]) -> list[dict[str, Any]]:
    return [
        dict(zip(header, map(_as_excel_reads, row), strict=True))
        for row in sheet.iter_rows(2, values_only=True)
    ]


def _as_excel_reads(value: Any) -> Any:
    """Excel undoes the escapes of control characters; openpyxl leaves them."""
    return unescape(value) if isinstance(value, str) else value


READERS = {"csv": csv_rows, "jsonl": jsonl_rows, "xlsx": xlsx_rows}


def read(table: str, form: str = "csv", chosen: Selection | None = None) -> list[dict[str, Any]]:
    """The table exported and read back."""
    return READERS[form](export(table, form, chosen))


def column(rows: Iterable[dict[str, Any]], name: str) -> list[Any]:
    """One column."""
    return [row[name] for row in rows]
