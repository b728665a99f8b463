"""Run as a process: `plant` leaves a row in every table, `tell` prints what all tables hold."""

import hashlib
import json
import sys
import uuid
from typing import Any

import django
from django.db import models, router, transaction
from django.utils import timezone

MADE: dict[type[models.Field], Any] = {
    models.BooleanField: True,
    models.IntegerField: 1,
    models.BigIntegerField: 1,
    models.SmallIntegerField: 1,
    models.FloatField: 0.5,
    models.DecimalField: 1,
    models.DateTimeField: timezone.now,
    models.DateField: lambda: timezone.now().date(),
    models.TimeField: lambda: timezone.now().time(),
    models.DurationField: timezone.timedelta,
    models.UUIDField: uuid.uuid4,
    models.BinaryField: b"\x00canary\xff",
    models.JSONField: lambda: {"canary": "\u2603"},
}

SPECIAL = {  # what constraints demand
    "reflections_review": {"state": "accepted", "content": {}, "report_id": None},
    "reflections_excerpt": {"end": 2},
    "interviews_edge": {"target_id": lambda: _another_node()},
}


def _another_node() -> Any:
    from interviews.models import Node

    node = Node.objects.order_by("pk").first()
    node.pk, node.key = None, uuid.uuid4().hex[:12]
    return Node.objects.bulk_create([node])[0].pk


def tables() -> list[type[models.Model]]:
    from django.apps import apps

    return sorted(
        apps.get_models(include_auto_created=True), key=lambda model: model._meta.db_table
    )


def plant() -> None:
    """Every model gets a row, if need be after those that it points to."""
    waiting = [model for model in tables() if not model._base_manager.exists()]
    while waiting:
        left = [model for model in waiting if not _planted(model)]
        if len(left) == len(waiting):
            raise SystemExit(f"no canary for {left}")
        waiting = left


def _planted(model: type[models.Model]) -> bool:
    for fill_optional in (True, False):
        try:
            with transaction.atomic(router.db_for_write(model)):
                values = {
                    field.attname: _value(field, fill_optional)
                    for field in model._meta.local_concrete_fields
                    if not isinstance(field, models.AutoField)
                }
                for name, value in SPECIAL.get(model._meta.db_table, {}).items():
                    values[name] = value() if callable(value) else value
                model._base_manager.bulk_create([model(**values)])
        except (django.db.IntegrityError, LookupError):
            continue
        return True
    return False


def _value(field: models.Field, fill_optional: bool) -> Any:
    if field.null and not fill_optional:
        return None
    if isinstance(field, models.ForeignKey):
        found = field.related_model._base_manager.first()
        if found is None and not field.null:
            raise LookupError
        return found and found.pk
    if field.choices:
        return field.flatchoices[0][0]
    for kind in type(field).__mro__:
        if kind in MADE:
            made = MADE[kind]
            return made() if callable(made) else made
    return f"canary \u2603 {uuid.uuid4()}"[: field.max_length]


def tell() -> dict[str, tuple[int, str]]:
    """For each table how many rows it has, and a digest of them all."""
    told = {}
    for model in tables():
        rows = sorted(repr(row) for row in model._base_manager.values_list())
        digest = hashlib.sha256("\n".join(rows).encode()).hexdigest()
        told[model._meta.db_table] = (len(rows), digest)
    return told


if __name__ == "__main__":
    django.setup()
    if "plant" in sys.argv:
        plant()
    print(json.dumps(tell()))
