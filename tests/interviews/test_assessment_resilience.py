"""An observer that fails costs seconds once, and a silent one never more than the turn has."""

import time

import pytest

from interviews.protocols import PROTOCOLS
from llm.concurrency.threads import in_database
from llm.providers.base import Fault, ProviderError
from tests.assessments import make_assessment_bot
from tests.interviews.talk import Talk, begin
from tests.scripted import Reply, scripted

pytestmark = pytest.mark.django_db(transaction=True)
OBSERVER = "technical_assessment.observer"
ANSWERS = (
    "Six years with Python and PostgreSQL.",
    "I read the plan first and compare the estimates with the rows.",
)


@pytest.fixture(autouse=True)
def _scripted_model(settings):
    settings.LLM_PROVIDER = "scripted"


async def assess() -> Talk:
    options = {"ask_experience": False, "questions_by": "list"}
    return await begin(await in_database(lambda: make_assessment_bot(options=options)))


async def sources(talk: Talk) -> list[str]:
    """Who read each answer; nothing that rules read is judged."""
    protocol, session = PROTOCOLS["technical_assessment"], await talk.session()
    state = protocol.state.model_validate(session.state)
    assert {one.status for one in state.observations} == {"not_judged"}
    return [str(one.source) for one in state.observations]


async def test_after_three_attempts_the_interview_goes_on_at_once():
    scripted.always(OBSERVER, ProviderError(Fault.OVERLOADED))
    talk, began = await assess(), time.monotonic()
    assert "?" in await talk.say(ANSWERS[0])
    assert 3.0 <= time.monotonic() - began < 15
    again = time.monotonic()
    assert "?" in await talk.say(ANSWERS[1])
    assert time.monotonic() - again < 3.0
    assert len(scripted.asked(OBSERVER)) == 3
    assert await sources(talk) == ["fallback", "fallback"]


async def test_a_silent_observer_is_not_waited_for_beyond_the_turns_deadline(settings):
    settings.TURN_DEADLINE = 1.0
    scripted.always(OBSERVER, Reply("{", delay=60))
    talk, began = await assess(), time.monotonic()
    assert "?" in await talk.say(ANSWERS[0])
    assert time.monotonic() - began < 30
    assert await sources(talk) == ["fallback"]
