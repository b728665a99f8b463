"""Rows as lines of text; what the rows of one session share is written once and reused."""

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any, NamedTuple

from interviews.exports.columns import LAST, AnyTable
from interviews.exports.formats.cells import encode_text

ROWS = 200  # of a chunk


class CellWriter(NamedTuple):
    read: Callable[[Any], Any]
    text: Callable[[Any], str]
    empty: str  # in place of None


def chunks(lines: Iterator[str]) -> Iterator[bytes]:
    while chunk := "".join(islice(lines, ROWS)):
        yield encode_text(chunk)


def lines(
    table: AnyTable, rows: Iterable[Any], writers: Iterable[CellWriter], begin: str, end: str
) -> Iterator[str]:
    """Yield a line for each row; `writers` are of the table's columns, in their order."""
    pairs = list(zip(table.columns, writers, strict=True))
    shared = [(column.name in LAST, writer) for column, writer in pairs if column.of_session]
    first = [writer for is_last, writer in shared if not is_last]
    last = [writer for is_last, writer in shared if is_last]
    own = [writer for column, writer in pairs if not column.of_session]
    session, prefix, suffix = None, begin, end
    for row in rows:
        if shared and row.session is not session:
            session = row.session
            prefix = begin + ",".join(_cells(first, row)) + ("," if own else "")
            suffix = "," + ",".join(_cells(last, row)) + end
        yield f"{prefix}{','.join(_cells(own, row))}{suffix}"


def _cells(writers: list[CellWriter], row: Any) -> list[str]:
    return [empty if (value := read(row)) is None else text(value) for read, text, empty in writers]
