"""JSON lines: one object per row, with JSON's own types. Formulas are not escaped."""

import json
from collections.abc import Iterable, Iterator
from datetime import datetime
from decimal import Decimal
from itertools import islice
from typing import Any

from interviews.exports.columns import AnyTable, Type
from interviews.exports.formats.cells import encode_text, iso

ROWS = 200  # of a chunk
DUMP = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def write(table: AnyTable, rows: Iterable[Any], bom: bool = False) -> Iterator[bytes]:
    """Yield one object per line. A byte order mark is no part of JSON and is never written."""
    columns = [(c.name, c.read, c.type is Type.STRING) for c in table.columns]
    lines = (
        DUMP({name: _json(read(row), is_text) for name, read, is_text in columns}) + "\n"
        for row in rows
    )
    while chunk := "".join(islice(lines, ROWS)):
        yield encode_text(chunk)


def _json(value: Any, is_text: bool) -> Any:
    if value is None or (is_text and type(value) is str):
        return value
    if isinstance(value, datetime):
        return iso(value)
    if isinstance(value, Decimal):
        return float(value)
    return str(value) if is_text else value
