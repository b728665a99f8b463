"""Databases of the tests' own, filled once and copied."""

import atexit
import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import psycopg

from tests.requirements import postgresql_url
from tests.services.processes import environment, python, run

_made: list[str] = []


class Database:
    """Rows of a site's database, read and changed beside the site."""

    def __init__(self, data: Path, url: str = "") -> None:
        self.url = url
        self.file = data / "interviewsite.sqlite3"

    def rows(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        """What a SELECT gives; values stand where `?` does."""
        if self.url:
            with psycopg.connect(self.url) as connection:
                return connection.execute(query.replace("?", "%s"), values).fetchall()
        connection = sqlite3.connect(self.file, timeout=20)
        try:
            return connection.execute(query, values).fetchall()
        finally:
            connection.close()

    def change(self, query: str, *values: Any) -> int:
        """How many rows an UPDATE or DELETE has changed."""
        if self.url:
            with psycopg.connect(self.url) as connection:
                return connection.execute(query.replace("?", "%s"), values).rowcount
        connection = sqlite3.connect(self.file, timeout=20)
        try:
            with connection:
                return connection.execute(query, values).rowcount
        finally:
            connection.close()

    @contextmanager
    def locked(self, query: str, *values: Any) -> Iterator[None]:
        """Holds the rows of a SELECT in PostgreSQL, as a process that is stuck in mid-change."""
        with psycopg.connect(self.url) as connection:
            assert connection.execute(f"{query} FOR UPDATE".replace("?", "%s"), values).fetchall()
            yield

    def session_key(self, session_id: str) -> str:
        """A session's id as this database keeps it."""
        return session_id if self.url else session_id.replace("-", "")

    def cut_all(self) -> int:
        """Ends every other connection to this PostgreSQL database, and says how many there were."""
        killed = self.rows(
            "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
        return len(killed)


def sqlite_copy(template: Path, data: Path) -> Database:
    """A data directory with a copy of the filled database."""
    data.mkdir(parents=True, exist_ok=True)
    shutil.copy(template / "interviewsite.sqlite3", data)
    return Database(data)


def filled_sqlite(data: Path) -> Path:
    """A data directory with a filled SQLite database."""
    _fill(environment(data))
    return data


def empty_postgresql(data: Path) -> Database:
    """A PostgreSQL database of its own without any table."""
    name = f"interviewsite_test_{os.getpid()}_{len(_made)}"
    _create(name)
    return Database(data, postgresql_url(name))


def new_postgresql(data: Path) -> Database:
    """A filled PostgreSQL database of its own."""
    name = f"interviewsite_test_{os.getpid()}_{len(_made)}"
    _create(name, f'TEMPLATE "{_template()}"')
    return Database(data, postgresql_url(name))


@cache
def _template() -> str:
    name = f"interviewsite_test_{os.getpid()}_template"
    _create(name)
    with TemporaryDirectory() as folder:
        _fill(environment(Path(folder), DATABASE_URL=postgresql_url(name)))
    return name


def _fill(env: dict[str, str]) -> None:
    filled = run(python("-m", "tests.services.seed"), env)
    if filled.returncode:
        raise RuntimeError(filled.stderr[-3000:])


def _create(name: str, options: str = "") -> None:
    _administer(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')
    _administer(f'CREATE DATABASE "{name}" {options}')
    _made.append(name)


@atexit.register
def drop_all() -> None:
    """Leaves nothing behind; the next database gets a template anew."""
    _template.cache_clear()
    while _made:
        _administer(f'DROP DATABASE IF EXISTS "{_made.pop()}" WITH (FORCE)')


def _administer(statement: str) -> None:
    with psycopg.connect(postgresql_url("postgres"), autocommit=True) as connection:
        connection.execute(statement.encode())
