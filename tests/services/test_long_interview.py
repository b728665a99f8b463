"""The long shipped interview, led over the API without a model to its own end."""

import json
import time

import pytest

from tests.services.client import STORY, Client, whole
from tests.services.worlds import Embedded

PLAN = (
    "SELECT content FROM plans_plan "
    "WHERE id = (SELECT plan_id FROM interviews_session WHERE id = ?)"
)


@pytest.mark.long  # a hundred answers; shorter ones end by themselves in many other tests
async def test_more_than_a_hundred_questions_end_by_themselves_with_each_accounted_for(
    embedded_client: Client, offline: Embedded
):
    began = time.monotonic()
    talk = await embedded_client.start("life-story")
    assert await talk.to_the_end(STORY, most=500) == "COMPLETED"
    assert time.monotonic() - began < 60
    entries = await talk.entries()
    whole(entries)
    assert entries[-1]["kind"] == "outro"
    planned = _planned(offline, talk.session_id)
    assert len(planned) >= 100
    asked = [e["question"] for e in entries if e["kind"] == "scripted_question"]
    assert asked == planned
    assert talk.first["progress"]["total"] == len(planned)


def _planned(world: Embedded, session_id: str) -> list[str]:
    """The keys of the plan's questions in their order."""
    key = world.database.session_key(session_id)
    content = json.loads(world.database.rows(PLAN, key)[0][0])
    return [question["key"] for question in content["material"]["scripts"]["en"]["questions"]]
