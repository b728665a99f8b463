from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection, transaction
from django.db.models import QuerySet


@contextmanager
def one_snapshot() -> Iterator[None]:
    """Read everything inside as of one moment, whatever others write meanwhile.

    Inside an open transaction, that transaction is used.
    """
    if connection.in_atomic_block:
        yield
    elif connection.vendor == "sqlite":
        # deferred, because the site's own transactions are immediate and would lock it
        with connection.cursor() as cursor:
            cursor.execute("BEGIN DEFERRED")
            try:
                yield
            finally:
                cursor.execute("ROLLBACK")
    else:
        with transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
            yield


def iterate_rows(values: QuerySet[Any, Any], chunk: int) -> Iterator[Any]:
    """Yield the rows of a values_list, fetched `chunk` at a time.

    On PostgreSQL this skips Django's conversion of times, which takes longer than all the rest of a
    row.
    """
    if connection.vendor != "postgresql":
        yield from values.iterator(chunk_size=chunk)
        return
    with connection.chunked_cursor() as cursor:
        _use_own_loaders(cursor.cursor)
        cursor.execute(*values.query.sql_with_params())
        while rows := cursor.fetchmany(chunk):
            yield from rows


def _use_own_loaders(cursor: Any) -> None:
    """Use psycopg's own loaders. Times are in UTC, as the connection's time zone is."""
    from psycopg import adapters
    from psycopg.pq import Format

    for kind in ("timestamptz", "jsonb"):
        oid = adapters.types[kind].oid
        cursor.adapters.register_loader(oid, adapters.get_loader(oid, Format.TEXT))
