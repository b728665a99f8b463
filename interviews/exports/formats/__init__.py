from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from interviews.exports.columns import AnyTable
from interviews.exports.formats import csv, jsonl, xlsx

Write = Callable[[AnyTable, Iterable[Any], bool], Iterator[bytes]]


@dataclass(frozen=True)
class Format:
    """A file format. `write` takes the table, its rows and whether to write a byte order mark."""

    name: str
    title: str
    media: str
    write: Write
    is_text: bool = True


FORMATS: dict[str, Format] = {
    "csv": Format("csv", "CSV", "text/csv; charset=utf-8", csv.write),
    "jsonl": Format("jsonl", "JSON lines", "application/x-ndjson; charset=utf-8", jsonl.write),
    "xlsx": Format(
        "xlsx",
        "Excel (XLSX)",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        xlsx.write,
        is_text=False,
    ),
}
