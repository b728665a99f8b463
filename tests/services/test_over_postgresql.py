"""Tests that hold over SQLite and PostgreSQL, run over PostgreSQL."""

import os

import pytest

from tests.requirements import need_postgresql
from tests.services.databases import empty_postgresql
from tests.services.processes import python, run

FILES = ("tests/interviews/exports/test_tables.py", "tests/interviews/test_search.py")


@pytest.mark.postgresql
def test_they_pass_over_postgresql(tmp_path):
    need_postgresql()
    url = empty_postgresql(tmp_path).url
    command = python("-m", "pytest", "-q", "-p", "no:cacheprovider", *FILES)
    done = run(command, {**os.environ, "TEST_DATABASE_URL": url})
    assert done.returncode == 0, done.stdout[-3000:]
    assert "passed" in done.stdout
