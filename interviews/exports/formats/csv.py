"""CSV by RFC 4180: commas, CRLF, quotes doubled, UTF-8; formulas defused.

Written by hand: with the standard library's writer, which looks at every letter of every cell, a
million rows take twice as long.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any

from interviews.exports.columns import AnyTable, Column, Type
from interviews.exports.formats.cells import RISKY, defused, encoded, iso

BOM = b"\xef\xbb\xbf"
ROWS = 200  # written at once

Read = tuple[Callable[[Any], Any], Callable[[Any], str]]


def write(table: AnyTable, rows: Iterable[Any], bom: bool = False) -> Iterator[bytes]:
    """The table with its header, some rows at a time."""
    if bom:
        yield BOM
    yield encoded(",".join(map(_string, table.header)) + "\r\n")
    lines = _lines(table, rows)
    while chunk := "".join(islice(lines, ROWS)):
        yield encoded(chunk)


def _lines(table: AnyTable, rows: Iterable[Any]) -> Iterator[str]:
    """What rows of one session share is written once and used for all of them."""
    shared = _reads(column for column in table.columns if column.of_session)
    own = _reads(column for column in table.columns if not column.of_session)
    session, beginning = None, ""
    for row in rows:
        if shared and row.session is not session:
            session = row.session
            beginning = ",".join(_cells(shared, row)) + ("," if own else "")
        yield f"{beginning}{','.join(_cells(own, row))}\r\n"


def _reads(columns: Iterable[Column[Any]]) -> list[Read]:
    return [(column.read, WRITTEN[column.type]) for column in columns]


def _cells(reads: list[Read], row: Any) -> list[str]:
    return ["" if (value := read(row)) is None else written(value) for read, written in reads]


def _string(value: Any) -> str:
    text = value if type(value) is str else str(value)
    if text[:1] in RISKY:
        text = defused(text)
    if '"' in text:
        return '"' + text.replace('"', '""') + '"'
    if "," in text or "\n" in text or "\r" in text:
        return f'"{text}"'
    return text


def _boolean(value: Any) -> str:
    return "true" if value else "false"


WRITTEN: dict[Type, Callable[[Any], str]] = {
    Type.STRING: _string,
    Type.INTEGER: str,
    Type.NUMBER: str,
    Type.BOOLEAN: _boolean,
    Type.DATETIME: iso,
}
