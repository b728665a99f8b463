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
    STRING = "string"
    INTEGER = "integer"
    NUMBER = "number"
    BOOLEAN = "boolean"
    DATETIME = "datetime"


LAST = ("experiment", "arm")
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
    name: str
    type: Type
    meaning: str
    read: Callable[[Row], Value]
    values: Mapping[str, str] = field(default_factory=dict)  # value -> meaning, where they are few
    of_session: bool = False  # the same in all rows with one `row.session`


def columns_of(row: type[Row]) -> tuple[Column[Row], ...]:
    """Return the columns of a row class, a named tuple: its annotated fields in order.

        turn: Annotated[int, "Number of the turn."]
        role: Annotated[str, "Who spoke.", {"participant": "Participant"}]

    A field that is itself such a tuple stands for its columns. Other fields are no columns. What
    tables got later of all interviews comes last.
    """
    return tuple(sorted(_columns(row), key=lambda one: one.of_session and one.name in LAST))


def _columns(row: Any, path: str = "") -> Iterator[Column[Any]]:
    for index, (name, kind) in enumerate(get_type_hints(row, include_extras=True).items()):
        if get_origin(kind) is Annotated:
            cell, meaning, *values = get_args(kind)
            read = attrgetter(path + name) if path else itemgetter(index)  # which is faster
            type_ = TYPES[(get_args(cell) or (cell,))[0]]  # of `int`, and of `int | None`
            yield Column(name, type_, meaning, read, dict(*values), path == "session.")
        elif hasattr(kind, "_fields"):
            yield from _columns(kind, f"{path}{name}.")


@dataclass(frozen=True)
class Table(Generic[Row]):
    """A table: its columns in a fixed order, and a stream of rows for a selection."""

    name: str
    meaning: str
    columns: tuple[Column[Row], ...]
    rows: Callable[[Selection], Iterator[Row]]
    right: str = ""  # a permission needed besides that of exporting

    @property
    def header(self) -> list[str]:
        return [column.name for column in self.columns]


AnyTable = Table[Any]
