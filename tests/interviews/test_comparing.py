"""A question asked before, in other words: it is sent back, and made again without an encoder."""

import json

import pytest

from interviews import comparing
from interviews.protocols.topic_exploration.speaking import IN_OTHER_WORDS
from interviews.protocols.topic_exploration.tasks import AGAIN, REPLY
from interviews.replaying import first_difference
from llm.providers import scripted
from llm.threads import in_database
from plans.meaning import Meaning
from tests.conftest import make_topic_bot
from tests.interviews.talk import begin

pytestmark = pytest.mark.django_db(transaction=True)
FIRST = "What was it that made you look for a kettle?"
REWORDED = "Thank you. Which circumstance set you on the path to the shop?"
FRESH = "Who else in the house had a say?"


def near(text: str) -> tuple[float, float]:
    """As if these two meant the same."""
    return (0.0, 1.0) if text == FRESH else (1.0, 0.0)


@pytest.fixture(autouse=True)
def model(settings):
    """One that says these in turn."""
    settings.LLM_PROVIDER = "scripted"
    scripted.clear()
    yield
    scripted.clear()


def says(task, *utterances):
    scripted.reply(task.name, *(json.dumps({"utterance": text}) for text in utterances))


async def asked_twice():
    """The second question is the first one in other words."""
    talk = await begin(await in_database(make_topic_bot))
    said = await talk.say("The old one broke, and that was a nuisance for all of us here.")
    return talk, said, (await talk.turns())[-1]


async def test_it_is_sent_back_and_comes_out_the_same_on_replay(monkeypatch):
    encoder = Meaning(lambda: near)
    monkeypatch.setattr(comparing, "in_use", lambda: encoder)
    says(REPLY, FIRST, REWORDED)
    says(AGAIN, FRESH)
    talk, said, turn = await asked_twice()
    assert said == FRESH
    assert [f["reason"] for f in turn.decision["firings"]] == [IN_OTHER_WORDS]
    assert turn.readings["reply"]["echoes"] == FIRST
    monkeypatch.setattr(comparing, "in_use", lambda: None)
    assert await in_database(first_difference, await talk.session()) == ""


async def test_said_again_in_other_words_a_fixed_question_stands(monkeypatch):
    encoder = Meaning(lambda: near)
    monkeypatch.setattr(comparing, "in_use", lambda: encoder)
    says(REPLY, FIRST, REWORDED)
    says(AGAIN, "And which event got you to buy one?")
    talk, said, turn = await asked_twice()
    assert turn.source == "model"
    assert said not in (FIRST, REWORDED)
    assert [f["reason"] for f in turn.decision["firings"]] == [
        IN_OTHER_WORDS,
        f"again: {IN_OTHER_WORDS}",
    ]
    assert await in_database(first_difference, await talk.session()) == ""


async def test_an_encoder_that_fails_leaves_the_question(monkeypatch):
    broken = Meaning(lambda: {}.__getitem__)
    monkeypatch.setattr(comparing, "in_use", lambda: broken)
    says(REPLY, FIRST, REWORDED)
    _talk, said, turn = await asked_twice()
    assert said == REWORDED
    assert "echoes" not in turn.readings["reply"]


async def test_without_one_nothing_is_compared():
    says(REPLY, FIRST, REWORDED)
    _talk, said, _turn = await asked_twice()
    assert said == REWORDED
