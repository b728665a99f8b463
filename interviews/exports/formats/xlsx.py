"""XLSX: a workbook written row by row. Text is never a formula or a link, and escaped too.

A cell holds 32,767 UTF-16 units and a sheet 1,048,576 rows. A longer text ends with a mark and
continues, piece by piece, on the sheet "Continued"; a longer table continues on further sheets.
Times are dates of Excel in UTC, to the millisecond.
"""

import tempfile
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from interviews.exports.columns import AnyTable, Type
from interviews.exports.formats.cells import encode_text, escape_formula

if TYPE_CHECKING:
    from xlsxwriter import Workbook
    from xlsxwriter.worksheet import Worksheet

MAX_CELL_UNITS = 32_767
MAX_ROWS = 1_048_576
CHUNK = 65_536
MARK = " […continued on the sheet “Continued”]"
CONTINUED = "Continued"
TIME = "yyyy-mm-dd hh:mm:ss.000"
MADE = datetime(1980, 1, 1)  # the same rows are the same bytes
OPTIONS = {
    "constant_memory": True,
    "strings_to_formulas": False,
    "strings_to_urls": False,
    "strings_to_numbers": False,
}


def write(table: AnyTable, rows: Iterable[Any], bom: bool = False) -> Iterator[bytes]:
    from xlsxwriter import Workbook  # takes long to load, and few processes write one

    with tempfile.TemporaryDirectory(prefix="export-") as folder:
        path = Path(folder) / "table.xlsx"
        with Workbook(str(path), OPTIONS | {"tmpdir": folder}) as workbook:
            workbook.use_zip64()
            workbook.set_properties({"created": MADE})
            _Sheets(workbook, table).fill(rows)
        with path.open("rb") as file:
            while chunk := file.read(CHUNK):
                yield chunk


class _Sheets:
    def __init__(self, workbook: "Workbook", table: AnyTable) -> None:
        self._workbook = workbook
        self._table = table
        self._bold = workbook.add_format({"bold": True})
        self._time = workbook.add_format({"num_format": TIME})
        self._sheets = 0
        self._row = 0  # of the sheet
        self._sheet = self._add_sheet()
        self._continued: Worksheet | None = None
        self._pieces = 0

    def _add_sheet(self) -> "Worksheet":
        self._sheets += 1
        number = f" {self._sheets}" if self._sheets > 1 else ""
        self._row = 0
        name = f"{self._table.name}{number}"
        return _sheet_with_header(self._workbook, name, self._table.header, self._bold)

    def fill(self, rows: Iterable[Any]) -> None:
        columns = [(column.read, column.type) for column in self._table.columns]
        for row in rows:
            self._row += 1
            if self._row >= MAX_ROWS:
                self._sheet = self._add_sheet()
                self._row = 1
            for column, (read, kind) in enumerate(columns):
                self._write_cell(column, read(row), kind)

    def _write_cell(self, column: int, value: Any, kind: Type) -> None:
        if value is None or value == "":
            return
        if kind is Type.BOOLEAN:
            self._sheet.write_boolean(self._row, column, value)
        elif kind in (Type.INTEGER, Type.NUMBER):
            self._sheet.write_number(self._row, column, float(value))
        elif kind is Type.DATETIME:
            moment = value.astimezone(UTC).replace(tzinfo=None)
            moment -= timedelta(microseconds=moment.microsecond % 1000)  # Excel would round them
            self._sheet.write_datetime(self._row, column, moment, self._time)
        else:
            self._write_text(column, str(value))

    def _write_text(self, column: int, text: str) -> None:
        pieces = list(split_for_cells(encode_text(escape_formula(text)).decode()))
        self._sheet.write_string(self._row, column, pieces[0])
        for number, piece in enumerate(pieces[1:], 2):
            self._write_piece(column, number, piece)

    def _write_piece(self, column: int, number: int, piece: str) -> None:
        if self._continued is None:
            header = ["sheet", "row", "column", "piece", "text"]
            self._continued = _sheet_with_header(self._workbook, CONTINUED, header, self._bold)
        self._pieces += 1
        if self._pieces >= MAX_ROWS:
            raise ValueError("Too many long texts for one workbook; take CSV or JSON lines.")
        sheet = self._continued
        sheet.write_string(self._pieces, 0, self._sheet.get_name())
        sheet.write_number(self._pieces, 1, self._row + 1)
        sheet.write_string(self._pieces, 2, self._table.header[column])
        sheet.write_number(self._pieces, 3, number)
        sheet.write_string(self._pieces, 4, escape_formula(piece))


def _sheet_with_header(book: "Workbook", name: str, header: list[str], bold: Any) -> "Worksheet":
    sheet = book.add_worksheet(name[:31])
    # xlsxwriter takes a text from “<r>” to “</r>” for markup of its own
    sheet._xml_rich_inline_string = lambda text, cell: sheet._xml_inline_string(text, False, cell)
    sheet.freeze_panes(1, 0)
    sheet.set_column(0, len(header) - 1, 22)
    for column, title in enumerate(header):
        sheet.write_string(0, column, escape_formula(title), bold)
    return sheet


def split_for_cells(text: str) -> Iterator[str]:
    """Yield pieces of the text that fit into a cell, each but the last ending in MARK."""
    if len(text) * 2 <= MAX_CELL_UNITS or len(text.encode("utf-16-le")) // 2 <= MAX_CELL_UNITS:
        yield text
        return
    room = (MAX_CELL_UNITS - len(MARK) - 1) // 2  # a character takes two units at most
    for start in range(0, len(text), room):
        piece = text[start : start + room]
        yield piece + (MARK if start + room < len(text) else "")
