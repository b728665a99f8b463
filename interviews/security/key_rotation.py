from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from django.db import connection
from django.db.models import Model, QuerySet

from interviews.models import CollectedValue, Turn, Webhook
from interviews.security.sealing import SealBroken, newest_key, rotate

# what is sealed: a field, or of one with JSON the entries named; apps that are optional add theirs
SEALED: dict[tuple[type[Model], str], tuple[str, ...]] = {
    (CollectedValue, "value"): (),
    (Turn, "sealed"): (),
    (Webhook, "secret"): (),
}
BATCH = 500


@dataclass
class RotationCounts:
    resealed: int = 0
    already: int = 0  # already under the newest key
    broken: int = 0  # unreadable with any of the keys, left as they are


def reseal(report: Callable[[RotationCounts], None] = lambda _count: None) -> RotationCounts:
    """Reseal everything in batches, calling `report` between those of a field. Raises NoDataKey.

    Can be interrupted and run again.
    """
    newest_key()  # fail early
    count = RotationCounts()
    for model, field, entries in _sealed_fields():
        last = 0
        while batch := list(_sealed(model, field, last)[:BATCH]):
            if last:
                report(count)
            for key, value in batch:
                _reseal(model, field, key, value, entries, count)
            last = batch[-1][0]
    return count


def unreadable() -> list[str]:
    """Return of what none of the keys opens the oldest that is stored. Raises NoDataKey."""
    newest_key()
    found = []
    for model, field, entries in _sealed_fields():
        try:
            for _, value in _sealed(model, field, 0)[:1]:
                _rotated(value, entries)
        except SealBroken:
            found.append(str(model._meta.verbose_name_plural))
    return found


def _sealed_fields() -> Iterator[tuple[type[Model], str, tuple[str, ...]]]:
    """Yield those of SEALED whose table is there: that of an optional app may not be."""
    tables = connection.introspection.table_names()
    for (model, field), entries in SEALED.items():
        if model._meta.db_table in tables:
            yield model, field, entries


def _sealed(model: type[Model], field: str, after: int) -> QuerySet[Any, tuple[int, Any]]:
    rows = model._default_manager.filter(pk__gt=after).exclude(**{field: None}).order_by("pk")
    return rows.values_list("pk", field)


def _reseal(
    model: type[Model],
    field: str,
    key: int,
    value: Any,
    entries: tuple[str, ...],
    count: RotationCounts,
) -> None:
    try:
        fresh = _rotated(value, entries)
    except SealBroken:
        count.broken += 1
        return
    if fresh == value:
        count.already += 1
        return
    # a value that has changed meanwhile is sealed with the newest key already
    rows = model._default_manager.filter(pk=key, **{field: value})
    count.resealed += rows.update(**{field: fresh})


def _rotated(value: Any, entries: tuple[str, ...]) -> Any:
    if isinstance(value, str):
        return rotate(value)
    return value | {name: rotate(value[name]) for name in entries if name in value}
