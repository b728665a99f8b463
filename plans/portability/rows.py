"""Rows that documents are stored in."""

from typing import Any, TypeVar

from django.db.models import Model

Row = TypeVar("Row", bound=Model)


def saved(row: Row, fields: dict[str, Any]) -> Row:
    """The row with the fields set, saved only if one differs (each save is a version)."""
    if any(getattr(row, name) != value for name, value in fields.items()):
        for name, value in fields.items():
            setattr(row, name, value)
        row.save()
    return row
