from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from django.db.models import Model
from pydantic import BaseModel

from plans.text import tidy

Document = TypeVar("Document", bound=BaseModel)
Row = TypeVar("Row", bound=Model)
Part = TypeVar("Part")


def document_of_row(shape: type[Document], row: Model, **others: Any) -> Document:
    """Return the document of a stored row, its texts tidied, but not validated.

    `others` are the fields that the row itself doesn't hold.
    """
    columns = {field.name for field in row._meta.concrete_fields if not field.is_relation}
    held = {name: getattr(row, name) for name in shape.model_fields.keys() & columns}
    texts = {name: tidy(text) for name, text in held.items() if isinstance(text, str)}
    fields: dict[str, Any] = held | texts | others
    return shape.model_construct(**fields)


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
    fields: Iterable[str],
    store_children: Callable[[Any, Part], None] = lambda row, part: None,
    by: str = "key",
) -> None:
    """Make related rows equal to the parts, in their order: update by key, create, delete.

    `rows` is a related manager, `by` the field of the key; `fields` are its other fields, without
    the position.
    """
    known = {getattr(row, by): row for row in rows.all()}
    for position, part in enumerate(parts):
        key = getattr(part, by)
        values = {name: getattr(part, name) for name in fields} | {"position": position}
        row = known.pop(key, None)
        row = update_if_changed(row, values) if row else rows.create(**{by: key}, **values)
        store_children(row, part)
    for row in known.values():
        row.delete()
