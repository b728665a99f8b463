"""The full-text index over what was said, which the database itself keeps up to date.

PostgreSQL has a column with a GIN index, filled by a trigger under the text search configuration
of the session's language; SQLite an FTS5 table, filled by triggers. Both are made after `migrate`
where they are missing: a migration that rebuilds SQLite's table takes the triggers with it.
"""

import sqlite3
from pathlib import Path
from typing import Any

from django.db import connection, transaction

TABLE = "interviews_transcriptentry"
ERASES = sqlite3.sqlite_version_info >= (3, 42)  # else deleted words stay until they are merged
TRIGGER = {
    "sqlite": "SELECT 1 FROM sqlite_master WHERE type = 'trigger' AND name = 'interviews_search'",
    "postgresql": "SELECT 1 FROM pg_trigger WHERE tgname = 'interviews_search'"
    " AND tgrelid = to_regclass('interviews_transcriptentry')",
}
ERASE_AT_ONCE = (
    "INSERT INTO interviews_search (interviews_search, rank) VALUES ('secure-delete', 1)"
)


def make_index(**_: Any) -> None:
    """Make the index and fill it, unless it is there."""
    if TABLE not in connection.introspection.table_names():
        return
    script = Path(__file__).with_name(f"{connection.vendor}.sql").read_text(encoding="utf-8")
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(TRIGGER[connection.vendor])
        if cursor.fetchone():
            return
        for statement in script.split("\n\n"):
            cursor.execute(statement)
        if connection.vendor == "sqlite" and ERASES:
            cursor.execute(ERASE_AT_ONCE)


def erase_deleted() -> None:
    """Leave nothing in SQLite's index of words that were deleted."""
    if connection.vendor == "sqlite" and not ERASES:
        with connection.cursor() as cursor:
            cursor.execute("INSERT INTO interviews_search (interviews_search) VALUES ('optimize')")
