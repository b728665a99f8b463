"""Run as a process: migrates an empty database, and prints as JSON what its tables lack."""

import json
import sys
from collections.abc import Iterator

import django
from django.core.management import call_command


def lacking() -> list[str]:
    """Columns, constraints and indexes that models have and tables don't, and the other way."""
    from django.apps import apps
    from django.db import connection

    tables = {model._meta.db_table: model for model in apps.get_models(include_auto_created=True)}
    with connection.cursor() as cursor:
        there = {*connection.introspection.table_names(cursor)} - {"django_migrations"}
        there -= {table for table in there if table.startswith("interviews_search")}  # SQLite's
        odd = sorted(there ^ {*tables})
        for table in there & {*tables}:
            described = connection.introspection.get_table_description(cursor, table)
            columns = {c.name for c in described} - {"search_words"}  # PostgreSQL's
            names = {*connection.introspection.get_constraints(cursor, table)}
            odd += [f"{table}: {name}" for name in _differences(tables[table], columns, names)]
    return odd


def _differences(model, columns: set[str], names: set[str]) -> Iterator[str]:
    yield from columns ^ {field.column for field in model._meta.local_concrete_fields}
    yield from {one.name for one in (*model._meta.constraints, *model._meta.indexes)} - names


def left_where_replaced_ones_ran() -> list[str]:
    """The migrations that a database of before has still to run: none, all were squashed."""
    from django.db import connection
    from django.db.migrations.executor import MigrationExecutor

    executor = MigrationExecutor(connection)
    for key, squashed in executor.loader.replacements.items():
        executor.recorder.record_unapplied(*key)
        for replaced in squashed.replaces:
            executor.recorder.record_applied(*replaced)
    executor = MigrationExecutor(connection)
    return [str(one) for one, _ in executor.migration_plan(executor.loader.graph.leaf_nodes())]


if __name__ == "__main__":
    django.setup()
    call_command("migrate", verbosity=0)
    call_command("makemigrations", "--check", "--dry-run", stdout=sys.stderr)
    from llm.models import LLMPrice

    prices = list(LLMPrice.objects.order_by("pk").values_list("provider", "model_prefix"))
    left = left_where_replaced_ones_ran()
    print(json.dumps({"lacking": lacking(), "prices": prices, "left": left}))
