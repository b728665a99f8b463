"""Reading much: one consistent snapshot for as long as an export runs, and rows as they come."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection, transaction
from django.db.models import QuerySet

REPEATABLE = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY"


@contextmanager
def one_snapshot() -> Iterator[None]:
    """Everything read inside is as of one moment; what others write meanwhile is not seen.

    Inside a transaction that is open already, that one serves.
    """
    if connection.in_atomic_block:
        yield
    elif connection.vendor == "sqlite":
        with _read_transaction():
            yield
    else:
        with transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute(REPEATABLE)
            yield


@contextmanager
def _read_transaction() -> Iterator[None]:
    """SQLite: a deferred transaction, since those of the site are immediate and would lock it."""
    with connection.cursor() as cursor:
        cursor.execute("BEGIN DEFERRED")
        try:
            yield
        finally:
            cursor.execute("ROLLBACK")


def rows_of(values: QuerySet[Any, Any], chunk: int) -> Iterator[Any]:
    """The rows of a values_list, so many fetched at once.

    For plain columns only (no JSON). On PostgreSQL past Django's own reading of times, which takes
    longer than all the rest of a row.
    """
    if connection.vendor != "postgresql":
        yield from values.iterator(chunk_size=chunk)
        return
    with connection.chunked_cursor() as cursor:
        _read_times_fast(cursor.cursor)
        cursor.execute(*values.query.sql_with_params())
        while rows := cursor.fetchmany(chunk):
            yield from rows


def _read_times_fast(cursor: Any) -> None:
    """The driver's own loader in this cursor; it gives times in UTC, as the connection is set."""
    from psycopg import adapters
    from psycopg.pq import Format

    oid = adapters.types["timestamptz"].oid
    cursor.adapters.register_loader(oid, adapters.get_loader(oid, Format.TEXT))
