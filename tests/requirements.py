"""What a machine may lack.

Tests that need it are skipped and say so; with REQUIRE_ALL=1 they fail.
"""

import os
import shutil
import subprocess
from urllib.parse import quote

import psycopg
import pytest

APART = ["unshare", "--user", "--map-root-user", "--mount"]
POSTGRESQL_SERVER = os.environ.get(
    "TEST_POSTGRESQL_SERVER", "postgresql://postgres@127.0.0.1:5432"
).rstrip("/")


def need(there: bool, what: str) -> None:
    """Goes on only if it is there."""
    if there:
        return
    if os.environ.get("REQUIRE_ALL") == "1":
        pytest.fail(f"REQUIRE_ALL=1, but {what}", pytrace=False)
    pytest.skip(what)


def need_postgresql() -> None:
    """A PostgreSQL server in which databases may be made."""
    need(postgresql_answers(), f"no PostgreSQL server answers at {POSTGRESQL_SERVER}")


def need_redis() -> None:
    """The Redis server's program: tests start one of their own."""
    need(has_redis(), "there is no redis-server on this machine")


def has_redis() -> bool:
    """Whether the server's program is installed."""
    return shutil.which("redis-server") is not None


def need_small_disk() -> None:
    """The right to make a disk of a few megabytes that only one process and its children see."""
    made = subprocess.run([*APART, "mount", "-t", "tmpfs", "tmpfs", "/mnt"], check=False)
    need(made.returncode == 0, "this account may not mount a disk of its own")


def postgresql_url(database: str) -> str:
    """Where a database of that server is reached."""
    return f"{POSTGRESQL_SERVER}/{quote(database)}"


def postgresql_answers() -> bool:
    """Whether the server takes connections."""
    try:
        psycopg.connect(postgresql_url("postgres"), connect_timeout=3).close()
    except psycopg.Error:
        return False
    return True
