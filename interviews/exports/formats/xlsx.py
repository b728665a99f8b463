"""XLSX: a workbook written row by row. Text is text, never a formula or a link, and defused too.

A cell holds 32,767 UTF-16 units and a sheet 1,048,576 rows. A longer text ends with a mark and goes
on, piece by piece, on the sheet "Continued"; a longer table goes on on further sheets.
"""

import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from xlsxwriter import Workbook
from xlsxwriter.worksheet import Worksheet

from interviews.exports.columns import AnyTable, Type
from interviews.exports.formats.cells import defused, encoded, iso

MOST_UNITS = 32_767
MOST_ROWS = 1_048_576
CHUNK = 65_536
MARK = " […continued on the sheet “Continued”]"
CONTINUED = "Continued"
OPTIONS = {
    "constant_memory": True,
    "strings_to_formulas": False,
    "strings_to_urls": False,
    "strings_to_numbers": False,
}


def write(table: AnyTable, rows: Iterable[Any], bom: bool = False) -> Iterator[bytes]:
    """The finished workbook, piece by piece; it can't be sent before its last row is known."""
    with tempfile.TemporaryDirectory(prefix="export-") as folder:
        path = Path(folder) / "table.xlsx"
        with Workbook(str(path), OPTIONS | {"tmpdir": folder}) as workbook:
            workbook.use_zip64()
            _Sheets(workbook, table).fill(rows)
        with path.open("rb") as finished:
            while chunk := finished.read(CHUNK):
                yield chunk


class _Sheets:
    """The sheets of one table."""

    def __init__(self, workbook: Workbook, table: AnyTable) -> None:
        self._book = workbook
        self._table = table
        self._bold = workbook.add_format({"bold": True})
        self._sheets = 0
        self._at = 0  # row in the sheet
        self._sheet = self._begin()
        self._continued: Worksheet | None = None
        self._pieces = 0

    def _begin(self) -> Worksheet:
        self._sheets += 1
        number = f" {self._sheets}" if self._sheets > 1 else ""
        sheet = _headed(self._book, f"{self._table.name}{number}", self._table.header, self._bold)
        self._at = 0
        return sheet

    def fill(self, rows: Iterable[Any]) -> None:
        columns = [(column.read, column.type) for column in self._table.columns]
        for row in rows:
            self._at += 1
            if self._at >= MOST_ROWS:
                self._sheet = self._begin()
                self._at = 1
            for place, (read, kind) in enumerate(columns):
                self._put(place, read(row), kind)

    def _put(self, place: int, value: Any, kind: Type) -> None:
        if value is None:
            return
        if kind is Type.BOOLEAN:
            self._sheet.write_boolean(self._at, place, value)
        elif kind in (Type.INTEGER, Type.NUMBER):
            self._sheet.write_number(self._at, place, float(value))
        else:
            self._put_text(place, iso(value) if kind is Type.DATETIME else str(value))

    def _put_text(self, place: int, text: str) -> None:
        pieces = list(pieces_of(encoded(defused(text)).decode()))
        self._sheet.write_string(self._at, place, pieces[0])
        for number, piece in enumerate(pieces[1:], 2):
            self._put_piece(place, number, piece)

    def _put_piece(self, place: int, number: int, piece: str) -> None:
        if self._continued is None:
            header = ["sheet", "row", "column", "piece", "text"]
            self._continued = _headed(self._book, CONTINUED, header, self._bold)
        self._pieces += 1
        if self._pieces >= MOST_ROWS:
            raise ValueError("Too many long texts for one workbook; take CSV or JSON lines.")
        sheet = self._continued
        sheet.write_string(self._pieces, 0, self._sheet.get_name())
        sheet.write_number(self._pieces, 1, self._at + 1)
        sheet.write_string(self._pieces, 2, self._table.header[place])
        sheet.write_number(self._pieces, 3, number)
        sheet.write_string(self._pieces, 4, defused(piece))


def _headed(book: Workbook, name: str, header: list[str], bold: Any) -> Worksheet:
    sheet = book.add_worksheet(name[:31])
    sheet.freeze_panes(1, 0)
    sheet.set_column(0, len(header) - 1, 18)
    for place, title in enumerate(header):
        sheet.write_string(0, place, defused(title), bold)
    return sheet


def pieces_of(text: str) -> Iterator[str]:
    """The text in pieces that fit into a cell, each but the last with the mark at its end."""
    if len(text) * 2 <= MOST_UNITS or _units(text) <= MOST_UNITS:
        yield text
        return
    room = (MOST_UNITS - len(MARK) - 1) // 2  # a character takes two units at most
    for start in range(0, len(text), room):
        piece = text[start : start + room]
        yield piece + (MARK if start + room < len(text) else "")


def _units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
