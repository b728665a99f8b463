"""The codebook: every column of every table, with its meaning, type and values."""

from collections.abc import Iterable, Iterator
from typing import Annotated, Any, NamedTuple

from interviews.exports.columns import AnyTable, Column, Table, Type, columns_of
from interviews.exports.formats import csv


class CodebookRow(NamedTuple):
    table: Annotated[str, "The table."]
    column: Annotated[str, "The column."]
    type: Annotated[
        str,
        "How its cells are to be read. Times are ISO 8601 in UTC.",
        {str(kind): "" for kind in Type},
    ]
    meaning: Annotated[str, "What it says."]
    values: Annotated[str, "Its values, if they are few."]


def rows(tables: Iterable[AnyTable]) -> Iterator[CodebookRow]:
    for table in tables:
        for column in table.columns:
            values = "\n".join(f"{value}: {meaning}" for value, meaning in column.values.items())
            yield CodebookRow(table.name, column.name, column.type, column.meaning, values)


CODEBOOK = Table(
    "codebook",
    "One row a column of the exported tables.",
    columns_of(CodebookRow),
    lambda selection: iter(()),
)


def as_csv(tables: Iterable[AnyTable], bom: bool = False) -> bytes:
    return b"".join(csv.write(CODEBOOK, rows(tables), bom))


def as_markdown(tables: Iterable[AnyTable]) -> str:
    return "# Codebook\n\n" + INTRODUCTION + "".join(_section(table) for table in tables)


INTRODUCTION = """\
Empty cells mean that there is no value. Times are ISO 8601 in UTC. In CSV and XLSX, a text that a
spreadsheet might take for a formula has an apostrophe before it: remove the first apostrophe from
cells that match `^''*[-=+@＝＋－＠\\t\\r\\n\\0]` to get the text as it was said. JSON lines have no
such mark.
"""


def _section(table: AnyTable) -> str:
    head = ["| column | type | meaning |", "|---|---|---|"]
    lines = [f"\n## {table.name}\n", table.meaning, "", *head]
    lines += [f"| `{c.name}` | {c.type} | {_meaning(c)} |" for c in table.columns]
    return "\n".join(lines) + "\n"


def _meaning(column: Column[Any]) -> str:
    values = "; ".join(f"`{value}`: {meaning}" for value, meaning in column.values.items())
    return f"{column.meaning} {values}".strip().replace("|", "\\|")
