"""Everything that is sealed, brought under the newest key. Can be broken off and begun again."""

from collections.abc import Callable
from dataclasses import dataclass

from django.db.models import Model

from interviews.models import CollectedValue, Turn
from interviews.security.sealing import SealBroken, newest, resealed

SEALED: tuple[tuple[type[Model], str], ...] = ((CollectedValue, "value"), (Turn, "sealed"))
BATCH = 500


@dataclass
class RotationCounts:
    """What became of them."""

    resealed: int = 0
    already: int = 0  # under the newest key before
    broken: int = 0  # opened by none of the keys, and left as they are


def reseal(told: Callable[[RotationCounts], None] = lambda _count: None) -> RotationCounts:
    """All of them, in batches; `told` hears of each. Raises NoDataKey."""
    newest()
    count = RotationCounts()
    for model, field in SEALED:
        last = 0
        while batch := _batch(model, field, last):
            for key, token in batch:
                _reseal(model, field, key, token, count)
            last = batch[-1][0]
            told(count)
    return count


def _batch(model: type[Model], field: str, after: int) -> list[tuple[int, str]]:
    rows = model._default_manager.filter(pk__gt=after).exclude(**{field: None}).order_by("pk")
    return list(rows.values_list("pk", field)[:BATCH])


def _reseal(model: type[Model], field: str, key: int, token: str, count: RotationCounts) -> None:
    """One, unless it has changed meanwhile: then it was sealed with the newest key just now."""
    try:
        fresh = resealed(token)
    except SealBroken:
        count.broken += 1
        return
    if fresh == token:
        count.already += 1
        return
    count.resealed += model._default_manager.filter(pk=key, **{field: token}).update(
        **{field: fresh}
    )
