"""The test database: made from the models, and emptied without making all permissions anew."""

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any

from django.apps import apps
from django.core.management.color import no_style
from django.db import connection, transaction
from django.db.models import Model
from django.test import TransactionTestCase

from llm.concurrency import threads

as_served = threads._run
KEPT = {"django_content_type", "auth_permission", "django_migrations"}


def quicken() -> None:
    """Leaves connections to the tests, and empties tables in place of a flush."""
    threads._run = _run
    TransactionTestCase._fixture_teardown = lambda _: empty()


def _run(fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
    return fn(*args, **kwargs)


def fill() -> None:
    """Adds the rows that migrations bring."""
    import_module("llm.migrations.0001_squashed_0003_spending").add(apps, None)
    _first_rows()


@cache
def _first_rows() -> list[list[Model]]:
    """Of each model what was there before any test: prices, and what `post_migrate` adds."""
    models = [m for m in apps.get_models(include_auto_created=True) if m._meta.db_table not in KEPT]
    return [rows for model in models if (rows := list(model._base_manager.all()))]


def empty() -> None:
    """Back to how it was when it was made. A flush tells all apps so, which takes far longer."""
    with transaction.atomic():
        filled = _filled(tuple(connection.introspection.django_table_names()))
        connection.ops.execute_sql_flush(connection.ops.sql_flush(no_style(), filled))
        for rows in _first_rows():
            type(rows[0])._base_manager.bulk_create(rows)


def _filled(tables: tuple[str, ...]) -> list[str]:
    asked = [f"SELECT '{t}' WHERE EXISTS (SELECT 1 FROM \"{t}\")" for t in {*tables} - KEPT]
    with connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join(asked))
        return [table for (table,) in cursor.fetchall()]
