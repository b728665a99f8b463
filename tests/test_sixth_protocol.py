"""A protocol is added from outside as docs/architecture.md says, and played to its export."""

import json
import shutil
from pathlib import Path

import pytest

from tests.services.processes import environment, python, run

DIARY = Path(__file__).parent / "diary"
pytestmark = pytest.mark.processes


@pytest.fixture(scope="module")
def played(tmp_path_factory) -> dict[str, object]:
    """What became of an interview of a site with a sixth protocol."""
    place = tmp_path_factory.mktemp("outside")
    for part in ("plans", "interviews"):
        shutil.copytree(DIARY / part, place / f"{part}.protocols" / "diary")
    env = environment(
        place / "data", OUTSIDE=str(place), DJANGO_SETTINGS_MODULE="tests.diary.settings"
    )
    done = run(python("-m", "tests.diary.play"), env)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_it_is_played_to_its_end(played):
    said = [text for _, text in played["entries"]]
    assert played["status"] == "COMPLETED"
    assert said[:3] == [
        "Hello Ann. I am an AI interviewer.",
        "Day 1. How are the bees?",
        "We moved the hives.",
    ]
    assert said[-1] == "That was the last day. Thank you."


def test_its_own_table_and_the_common_ones_are_exported(played):
    days = [(row["day"], row["entry"], row["bot"]) for row in played["days"]]
    assert days == [
        (1, "We moved the hives.", "bees"),
        (2, "It rained, so I mended frames.", "bees"),
        (3, "The first honey.", "bees"),
    ]
    assert played["transcript"] == len(played["entries"]) == 8


def test_it_replays_and_lacks_nothing_to_go_live(played):
    assert played["replay"] == ""
    assert played["lacks"] == []


def test_its_pages_in_the_admin_open(played):
    assert set(played["pages"].values()) == {200}
