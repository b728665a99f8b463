"""Test databases: made from the models, and emptied without making all permissions anew."""

from collections.abc import Callable
from functools import cache, wraps
from importlib import import_module
from typing import Any, ParamSpec, TypeVar
from unittest.mock import patch

from django.apps import apps
from django.conf import settings
from django.core.management import call_command
from django.core.management.color import no_style
from django.db import connection, transaction
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import Model
from django.test import TransactionTestCase
from simple_history.manager import HistoryManager

from llm.concurrency import threads

P, T = ParamSpec("P"), TypeVar("T")
as_served = threads._run
KEPT = {"django_content_type", "auth_permission", "django_migrations"}


def quicken() -> None:
    """Leaves connections to the tests, empties tables in place of a flush, keeps what is made."""
    threads._run = _run
    TransactionTestCase._fixture_teardown = lambda _: empty()
    HistoryManager.from_queryset = cache(HistoryManager.from_queryset)  # else a class each time


def unrecorded(make: Callable[P, T]) -> Callable[P, T]:
    """Leave out the history of what a test begins with: it takes half of the time."""

    @wraps(make)
    def made(*args: P.args, **kwargs: P.kwargs) -> T:
        with patch.object(settings, "SIMPLE_HISTORY_ENABLED", False, create=True):
            return make(*args, **kwargs)

    return made


def _run(fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
    return fn(*args, **kwargs)


def make() -> None:
    """Make the tables of a site's empty database, in a fraction of the time of migrations."""
    loader, recorder = MigrationLoader(connection), MigrationRecorder(connection)
    with patch.object(MigrationLoader, "migrations_module", return_value=(None, True)):
        call_command("migrate", run_syncdb=True, verbosity=0, skip_checks=True)
    names = {*loader.disk_migrations}.union(*(m.replaces for m in loader.disk_migrations.values()))
    recorder.ensure_schema()
    recorder.migration_qs.bulk_create(recorder.Migration(app=app, name=name) for app, name in names)
    fill()


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
        cascade = connection.vendor == "postgresql"  # it refuses where an empty table refers to one
        flush = connection.ops.sql_flush(no_style(), filled, allow_cascade=cascade)
        connection.ops.execute_sql_flush(flush)
        for rows in _first_rows():
            type(rows[0])._base_manager.bulk_create(rows)


def _filled(tables: tuple[str, ...]) -> list[str]:
    asked = [f"SELECT '{t}' WHERE EXISTS (SELECT 1 FROM \"{t}\")" for t in {*tables} - KEPT]
    with connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join(asked))
        return [table for (table,) in cursor.fetchall()]
