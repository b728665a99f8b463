from collections.abc import Iterable
from typing import TypeVar

from django.db.models import Model

Row = TypeVar("Row", bound=Model)


def clone(row: Row, **changes: object) -> Row:
    fields = {f.attname: getattr(row, f.attname) for f in row._meta.concrete_fields}
    for name in ("id", "created_at", "updated_at", *changes, *(f"{c}_id" for c in changes)):
        fields.pop(name, None)
    return type(row)._default_manager.create(**fields, **changes)


def next_position(positions: Iterable[int]) -> int:
    return max(positions, default=-1) + 1


def copy_name(name: str, taken: Iterable[str]) -> str:
    """Return the name with “copy”, and with a number where that is taken."""
    known = set(taken)
    candidates = (f"{name} copy{n}" for n in ["", *(f" {i}" for i in range(2, len(known) + 3))])
    return next(c for c in candidates if c not in known)
