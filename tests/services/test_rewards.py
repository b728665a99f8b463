"""Fifty interviews that end at once, and thirty codes: each is given once, on a real server."""

import json
from pathlib import Path

import pytest

from tests.requirements import need_postgresql
from tests.services.databases import Database, new_postgresql, sqlite_copy
from tests.services.drawing import CODES, SESSIONS, WAITING
from tests.services.processes import environment, python, run


def drawn(data: Path, database: Database, *which: str) -> list[str]:
    """What the threads were given."""
    url = {"DATABASE_URL": database.url} if database.url else {}
    done = run(python("-m", "tests.services.drawing", *which), environment(data, **url))
    assert done.returncode == 0, done.stderr[-3000:]
    given = json.loads(done.stdout.splitlines()[-1])
    kept = database.rows("SELECT code FROM plans_rewardcode WHERE drawn_for IS NOT NULL")
    assert {code for (code,) in kept} == {code for code in given if code}
    return given


def each_once(given: list[str]) -> None:
    codes = [code for code in given if code]
    assert len(given) == SESSIONS
    assert len(codes) == len(set(codes)) == CODES


def test_sqlite(template, tmp_path):
    each_once(drawn(tmp_path / "data", sqlite_copy(template, tmp_path / "data")))


@pytest.mark.postgresql
def test_postgresql(tmp_path):
    need_postgresql()
    each_once(drawn(tmp_path, new_postgresql(tmp_path)))


@pytest.mark.postgresql
def test_who_waited_in_vain_keeps_nobody_waiting(tmp_path):
    """Locks that are kept on the last code would, and could end in a deadlock."""
    need_postgresql()
    assert drawn(tmp_path, new_postgresql(tmp_path), "last") == ["last", *[""] * WAITING]
