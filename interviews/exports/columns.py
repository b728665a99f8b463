"""What a column and a table of an export are. The codebook is made from nothing else."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from operator import attrgetter, itemgetter
from typing import Annotated, Any, Generic, TypeVar, get_args, get_origin, get_type_hints

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


TYPES: dict[Any, Type] = {
    str: Type.STRING,
    int: Type.INTEGER,
    float: Type.NUMBER,
    Decimal: Type.NUMBER,
    bool: Type.BOOLEAN,
    datetime: Type.DATETIME,
}


@dataclass(frozen=True, slots=True)
class Column(Generic[Row]):
    """One column: its name, what it means, and how it is read from a row."""

    name: str
    type: Type
    meaning: str
    read: Callable[[Row], Value]
    values: Mapping[str, str] = field(default_factory=dict)  # value -> meaning, where they are few
    of_session: bool = False  # says the same in all rows with one `row.session`


def columns_of(row: type[Row]) -> tuple[Column[Row], ...]:
    """The columns of a row class, a named tuple: its annotated fields, in their order.

        turn: Annotated[int, "Number of the turn."]
        role: Annotated[str, "Who spoke.", {"participant": "Participant"}]

    A field that is such a tuple itself stands for its columns. Other fields are no columns.
    """
    return tuple(_columns(row))


def _columns(row: Any, path: str = "") -> Iterator[Column[Any]]:
    for place, (name, kind) in enumerate(get_type_hints(row, include_extras=True).items()):
        if get_origin(kind) is Annotated:
            cell, meaning, *values = get_args(kind)
            read = attrgetter(path + name) if path else itemgetter(place)  # which is faster
            yield Column(name, _type(cell), meaning, read, dict(*values), path == "session.")
        elif hasattr(kind, "_fields"):
            yield from _columns(kind, f"{path}{name}.")


def _type(cell: Any) -> Type:
    """The type of `int`, and of `int | None`."""
    return TYPES[(get_args(cell) or (cell,))[0]]


@dataclass(frozen=True)
class Table(Generic[Row]):
    """One table: its columns in an order that stays, and a stream of rows for what is chosen."""

    name: str
    meaning: str
    columns: tuple[Column[Row], ...]
    rows: Callable[[Selection], Iterator[Row]]
    right: str = ""  # a permission that it needs besides that of exporting

    @property
    def header(self) -> list[str]:
        """The names of its columns."""
        return [column.name for column in self.columns]


AnyTable = Table[Any]
