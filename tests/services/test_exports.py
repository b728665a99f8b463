import os

import pytest

from tests.requirements import need_postgresql
from tests.services.databases import empty_postgresql
from tests.services.processes import python, run


@pytest.mark.postgresql
def test_tables_are_the_same_over_postgresql(tmp_path):
    need_postgresql()
    url = empty_postgresql(tmp_path).url
    command = python(
        "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/interviews/exports/test_tables.py"
    )
    done = run(command, {**os.environ, "TEST_DATABASE_URL": url})
    assert done.returncode == 0, done.stdout[-3000:]
    assert "passed" in done.stdout
