"""Interviews recorded earlier replay to the same states and export the same tables."""

import json

import pytest

from interviews.models import Session
from interviews.turns.replay import Replay
from plans.protocols import PROTOCOLS
from tests.interviews.recorded_sessions import exported, load, names, read

pytestmark = pytest.mark.django_db


@pytest.fixture(params=names())
def recorded(request):
    """A recorded interview, loaded into the database."""
    kept = read(request.param)
    load(kept["rows"])
    return kept


def test_every_turn_replays_to_the_same_state(recorded):
    session = Session.objects.get()
    replay = Replay(session)
    states = []
    for turn in session.turns.order_by("number"):
        assert list(replay.differences(turn)) == []
        states.append(replay.state)
    assert _canonical(states) == _canonical(recorded["states"])
    assert _canonical(states[-1]) == _canonical(session.state)


def _canonical(value):
    """JSON, in which 1, 1.0 and true differ."""
    return json.dumps(value, sort_keys=True)


def test_exports_are_the_same(recorded):
    assert exported() == recorded["exports"]


def test_every_protocol_is_recorded_with_and_without_a_model():
    found = {}
    for name in names():
        rows = read(name)["rows"]
        protocol = rows["plans_plan"][0]["protocol"]
        found.setdefault(protocol, []).append("llm_llmcall" in rows)
    assert found.keys() == PROTOCOLS.keys()
    assert all(sum(asked) >= 2 and not all(asked) for asked in found.values())
