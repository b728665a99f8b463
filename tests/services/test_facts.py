"""Eight people at the same facts on a real server: none is lost, none stands under a merged one."""

import json
from pathlib import Path

import pytest

from tests.requirements import need_postgresql
from tests.services.databases import Database, new_postgresql, sqlite_copy
from tests.services.merging import PEOPLE, STEPS
from tests.services.processes import environment, python, run


def whole(data: Path, database: Database) -> None:
    """Every step is done or refused, and what is left holds together."""
    url = {"DATABASE_URL": database.url} if database.url else {}
    done = run(python("-m", "tests.services.merging"), environment(data, **url))
    assert done.returncode == 0, done.stderr[-3000:]
    came = json.loads(done.stdout.splitlines()[-1])
    assert came.pop("chains") == 0
    assert came.pop("left") > 0
    assert came.keys() == {"done", "refused"}, came
    assert sum(came.values()) == PEOPLE * STEPS


def test_sqlite(template, tmp_path):
    whole(tmp_path / "data", sqlite_copy(template, tmp_path / "data"))


@pytest.mark.postgresql
def test_postgresql(tmp_path):
    need_postgresql()
    whole(tmp_path, new_postgresql(tmp_path))
