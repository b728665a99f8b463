"""What a column and a table of an export are. The codebook is made from nothing else."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from typing import Any, Generic, TypeVar

from interviews.exports.selection import Selection

Value = str | int | float | Decimal | bool | datetime | None
Row = TypeVar("Row")


class Type(StrEnum):
    """How a column's cells are to be read."""

    STRING = "string"
    INTEGER = "integer"
    NUMBER = "number"
    BOOLEAN = "boolean"
    DATETIME = "datetime"


@dataclass(frozen=True, slots=True)
class Column(Generic[Row]):
    """One column: its name, what it means, and how it is read from a row."""

    name: str
    type: Type
    meaning: str
    read: Callable[[Row], Value]
    values: Mapping[str, str] = field(default_factory=dict)  # value -> meaning, where they are few


@dataclass(frozen=True)
class Table(Generic[Row]):
    """One table: its columns in an order that stays, and a stream of rows for what is chosen."""

    name: str
    meaning: str
    columns: tuple[Column[Row], ...]
    rows: Callable[[Selection], Iterator[Row]]
    shared: int = 0  # so many first columns say the same in all rows with one `row.session`
    right: str = ""  # a permission that it needs besides that of exporting

    @property
    def header(self) -> list[str]:
        """The names of its columns."""
        return [column.name for column in self.columns]


AnyTable = Table[Any]
