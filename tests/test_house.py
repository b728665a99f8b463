"""The rules of the house that no linter knows."""

import re
from pathlib import Path

import pytest

import interviewsite.apps  # noqa: F401
from interviews import protocols
from llm.task import all_tasks
from llm.templates import check
from plans.content import CONTENTS

ROOT = Path(__file__).resolve().parents[1]
APPS = ("interviewsite", "llm", "plans", "interviews", "reflections")


def sources() -> list[Path]:
    return [path for app in APPS for path in (ROOT / app).rglob("*.py")]


@pytest.mark.parametrize("task", all_tasks(), ids=lambda task: task.name)
def test_a_prompts_variables_are_its_inputs_fields(task):
    check(task)


def test_every_protocol_has_its_content():
    assert set(protocols.PROTOCOLS) == set(CONTENTS)
    assert all(name == protocol.name for name, protocol in protocols.PROTOCOLS.items())


def test_only_events_touches_the_channel_layer():
    users = {
        path.relative_to(ROOT).as_posix()
        for path in sources()
        if "channels.layers" in path.read_text(encoding="utf-8")
    }
    assert users <= {"interviews/events.py", "interviewsite/settings.py"}


def test_nothing_outside_a_protocol_asks_which_one_it_is():
    asking = re.compile(r"protocol\s*(?:==|!=|in)\s*[\"'(\[]")
    found = [path for path in sources() if asking.search(path.read_text(encoding="utf-8"))]
    assert not found


def test_the_engine_knows_no_database():
    for path in (ROOT / "interviews" / "engine").rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        assert "import django" not in text
        assert "from django" not in text


def test_files_stay_small():
    long = {
        p.relative_to(ROOT).as_posix(): n
        for p in sources()
        if "migrations" not in p.parts and (n := len(p.read_text().splitlines())) > 400
    }
    assert not long
