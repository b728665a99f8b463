"""Twenty people who begin at once, and seven places: none is given twice, and none is lost."""

import json
from collections import Counter
from pathlib import Path

import pytest

from tests.requirements import need_postgresql
from tests.services.beginning import PEOPLE, PLACES
from tests.services.databases import Database, new_postgresql, sqlite_copy
from tests.services.processes import environment, python, run


def begun(data: Path, database: Database) -> None:
    """Seven have begun, whatever the threads did; the others were told that it is full."""
    url = {"DATABASE_URL": database.url} if database.url else {}
    more = {"DB_POOL": str(PEOPLE + 2)} | url  # theirs, and one to begin with
    done = run(python("-m", "tests.services.beginning"), environment(data, **more))
    assert done.returncode == 0, done.stderr[-3000:]
    became = Counter(json.loads(done.stdout.splitlines()[-1]))
    assert became == {"begun": PLACES, "full": PEOPLE - PLACES}
    sessions = database.rows("SELECT id FROM interviews_session")
    people = database.rows("SELECT id FROM interviews_participant")
    assert (len(sessions), len(people)) == (PLACES, PLACES)


def test_sqlite(template, tmp_path):
    begun(tmp_path / "data", sqlite_copy(template, tmp_path / "data"))


@pytest.mark.postgresql
def test_postgresql(tmp_path):
    need_postgresql()
    begun(tmp_path, new_postgresql(tmp_path))
