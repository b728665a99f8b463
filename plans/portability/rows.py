from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from django.db.models import Model

Row = TypeVar("Row", bound=Model)
Part = TypeVar("Part")


def update_if_changed(row: Row, fields: dict[str, Any]) -> Row:
    """Set the fields and save the row only if one differs, since each save adds a version."""
    if any(getattr(row, name) != value for name, value in fields.items()):
        for name, value in fields.items():
            setattr(row, name, value)
        row.save()
    return row


def sync_rows(
    rows: Any,
    parts: Iterable[Part],
    fields: Callable[[Part], dict[str, Any]],
    store_children: Callable[[Any, Part], None] = lambda row, part: None,
    by: str = "key",
) -> None:
    """Make related rows equal to the parts, in their order: update by key, create, delete.

    `rows` is a related manager, `by` the field of the key; `fields` returns all other values but
    the position.
    """
    known = {getattr(row, by): row for row in rows.all()}
    for position, part in enumerate(parts):
        key, values = getattr(part, by), fields(part) | {"position": position}
        row = known.pop(key, None)
        row = update_if_changed(row, values) if row else rows.create(**{by: key}, **values)
        store_children(row, part)
    for row in known.values():
        row.delete()
