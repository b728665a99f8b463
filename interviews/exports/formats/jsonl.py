"""JSON lines: one object per row, with JSON's own types. Formulas are not escaped.

As in the other formats, a text of no characters is no value: null.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from interviews.exports.columns import AnyTable, Column, Type
from interviews.exports.formats.cells import iso
from interviews.exports.formats.lines import CellWriter, chunks, lines

DUMP = json.JSONEncoder(ensure_ascii=False).encode
VALUES: dict[Type, Callable[[Any], str]] = {
    Type.STRING: lambda value: DUMP((value if type(value) is str else str(value)) or None),
    Type.INTEGER: str,
    Type.NUMBER: lambda value: DUMP(float(value)),
    Type.BOOLEAN: lambda value: "true" if value else "false",
    Type.DATETIME: lambda value: f'"{iso(value)}"',
}


def write(table: AnyTable, rows: Iterable[Any], bom: bool = False) -> Iterator[bytes]:
    """Yield one object per line. A byte order mark is no part of JSON and is never written."""
    yield from chunks(lines(table, rows, map(_writer, table.columns), "{", "}\n"))


def _writer(column: Column[Any]) -> CellWriter:
    name, value_text = f"{DUMP(column.name)}:", VALUES[column.type]
    return CellWriter(column.read, lambda value: name + value_text(value), f"{name}null")
