"""Interviews begun with an earlier version are finished after an upgrade, without losing a word."""

import gzip
import json
from pathlib import Path

import pytest

from tests.services.processes import environment, python, run

HERE = Path(__file__).parent / "upgrades"


@pytest.mark.timeout(300)
@pytest.mark.parametrize("earlier", sorted(HERE.glob("*.gz")), ids=lambda path: path.name)
def test_interviews_survive(earlier: Path, tmp_path: Path):
    env = environment(tmp_path)
    (tmp_path / "interviewsite.sqlite3").write_bytes(gzip.decompress(earlier.read_bytes()))
    migrated = run(python("manage.py", "migrate", "-v0"), env)
    assert migrated.returncode == 0, migrated.stderr
    played = run(python("-m", "tests.services.upgraded", "end"), env)
    assert played.returncode == 0, played.stderr
    interviews = json.loads(played.stdout)
    assert len({one["protocol"] for one in interviews}) == 5
    for one in interviews:
        assert one["status"] == "COMPLETED", one
        assert one["kept"], f"what was said before has changed: {one}"
        assert one["said"] == one["answers"], f"an answer was lost or doubled: {one}"
