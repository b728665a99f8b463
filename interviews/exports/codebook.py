"""The codebook: every column of every table, with its meaning, type and values."""

from collections.abc import Iterable, Iterator
from operator import attrgetter
from typing import Any, NamedTuple

from interviews.exports.columns import AnyTable, Column, Table, Type
from interviews.exports.writing import csv


class Entry(NamedTuple):
    """One column of one table."""

    table: AnyTable
    column: Column[Any]

    @property
    def values(self) -> str:
        """The values that it can take, where they are few, a line each."""
        return "\n".join(f"{value}: {meaning}" for value, meaning in self.column.values.items())


def entries(tables: Iterable[AnyTable]) -> Iterator[Entry]:
    """Every column, in the order of the files."""
    for table in tables:
        yield from (Entry(table, column) for column in table.columns)


CODEBOOK: Table[Entry] = Table(
    "codebook",
    "One row a column of the exported tables.",
    (
        Column("table", Type.STRING, "The table.", attrgetter("table.name")),
        Column("column", Type.STRING, "The column.", attrgetter("column.name")),
        Column(
            "type",
            Type.STRING,
            "How its cells are to be read. Times are ISO 8601 in UTC.",
            attrgetter("column.type"),
            {str(kind): "" for kind in Type},
        ),
        Column("meaning", Type.STRING, "What it says.", attrgetter("column.meaning")),
        Column("values", Type.STRING, "Its values, if they are few.", attrgetter("values")),
    ),
    lambda chosen: iter(()),
)


def as_csv(tables: Iterable[AnyTable], bom: bool = False) -> bytes:
    """The codebook as CSV."""
    return b"".join(csv.write(CODEBOOK, entries(tables), bom))


def as_markdown(tables: Iterable[AnyTable]) -> str:
    """The codebook to read."""
    return "# Codebook\n\n" + INTRODUCTION + "".join(_section(table) for table in tables)


INTRODUCTION = """\
Empty cells mean that there is no value. Times are ISO 8601 in UTC. In CSV and XLSX, a text that a
spreadsheet might take for a formula has an apostrophe before it: remove the first apostrophe from
cells that match `^''*[-=+@＝＋－＠\\t\\r\\n\\0]` to get the text as it was said. JSON lines have no
such mark.
"""


def _section(table: AnyTable) -> str:
    lines = [
        f"\n## {table.name}\n",
        table.meaning,
        "",
        "| column | type | meaning |",
        "|---|---|---|",
    ]
    lines += [f"| `{c.name}` | {c.type} | {_meaning(c)} |" for c in table.columns]
    return "\n".join(lines) + "\n"


def _meaning(column: Column[Any]) -> str:
    values = "; ".join(f"`{value}`: {meaning}" for value, meaning in column.values.items())
    return f"{column.meaning} {values}".strip().replace("|", "\\|")
