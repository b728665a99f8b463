"""How many queries the database threads make."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db.backends.utils import CursorWrapper

NOT_QUERIES = ("PRAGMA", "BEGIN", "COMMIT", "SAVEPOINT", "RELEASE", "SET ")


@contextmanager
def counted() -> Iterator[list[str]]:
    """The statements of every thread while it is open."""
    seen: list[str] = []
    execute = CursorWrapper.execute

    def counting(self, sql, params=None):
        if not sql.startswith(NOT_QUERIES):
            seen.append(sql)
        return execute(self, sql, params)

    CursorWrapper.execute = counting
    try:
        yield seen
    finally:
        CursorWrapper.execute = execute
