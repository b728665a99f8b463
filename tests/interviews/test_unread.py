"""Words that freeze whatever reads them cost one process, and are answered without being read."""

import os
from datetime import timedelta

import pytest
from django.utils import timezone

from interviews.engine import common_rules
from interviews.engine.contact_data.masking import HIDDEN
from interviews.models import CollectedValue, Turn
from interviews.turns import actions, rehearsal, store
from llm.concurrency.threads import in_database
from plans.protocols import PROTOCOLS
from tests.interviews.talk import Talk, begin, in_confidence, same_again
from tests.interviews.test_distress import BOTS

pytestmark = pytest.mark.django_db(transaction=True)
FREEZES = "We lived by the river, and everything froze, my number is 0171 2345678."
DANGER = "I want to kill myself."


@pytest.fixture(autouse=True)
def _freezing(monkeypatch):
    """Reading those words never ends; here nobody tries."""
    here, read = os.getpid(), common_rules.read_by_rules

    def read_or_freeze(answer, *args):
        while "froze" in answer:
            assert os.getpid() != here, "this process would be frozen"
        return read(answer, *args)

    monkeypatch.setattr(common_rules, "read_by_rules", read_or_freeze)
    monkeypatch.setattr(rehearsal, "PROCESSOR", 0.2)


async def taken_over(talk: Talk, text: str = FREEZES) -> Turn:
    """The turn of an answer whose process has died, once another one has run it."""
    await in_database(_orphan, await talk.session(), text)
    assert await actions.sweep() == 1
    return (await talk.turns())[-1]


def _orphan(session, text: str) -> None:
    claimed = store.record(session, Turn.Trigger.ANSWER, text, "m", timezone.now())
    past = timezone.now() - timedelta(seconds=1)
    Turn.objects.filter(pk=claimed.turn.pk).update(lease_until=past)


@pytest.mark.parametrize("protocol", PROTOCOLS)
async def test_it_is_taken_as_an_answer_and_the_interview_continues(protocol):
    talk = await begin(await in_database(BOTS[protocol]))
    turn = await taken_over(talk)
    assert (turn.status, turn.attempts) == ("done", 2)
    assert turn.readings["unread"]["value"]
    read = turn.readings["reading"]["value"]
    assert (read["answers"], read["wishes"], read["care"]) == ("fully", [], "none")
    assert turn.effort_score is None
    *_, said, reply = await talk.entries()
    assert (said.role, reply.role) == ("participant", "interviewer")
    assert HIDDEN not in reply.text
    assert await talk.say("My grandmother taught me to read the sky before each journey.")
    assert {one.attempts for one in await talk.turns()} == {1, 2}
    assert await same_again(talk) == ""


async def test_what_was_said_stays_as_it_was_said(bot):
    talk = await begin(bot)
    await taken_over(talk)
    shown = FREEZES.replace("0171 2345678", "[phone]")
    assert [entry.text for entry in await talk.entries()].count(shown) == 1


async def test_a_confidential_answer_is_hidden_as_a_whole(bot):
    talk = await begin(bot)
    await in_confidence(talk)
    turn = await taken_over(talk)
    assert turn.sealed is None
    assert HIDDEN in [entry.text for entry in await talk.entries()]
    assert not await CollectedValue.objects.aexists()


async def test_other_words_are_read_by_whoever_takes_the_turn_over(bot):
    talk = await begin(bot)
    turn = await taken_over(talk, DANGER)
    assert "unread" not in turn.readings
    assert turn.decision["reason"] == "distress"


def test_work_that_fails_has_ended():
    def fail() -> None:
        raise RuntimeError("a mistake of ours")

    assert rehearsal._ends(fail)


def test_work_that_waits_for_ever_has_not(monkeypatch):
    monkeypatch.setattr(rehearsal, "LONGEST", 0.2)
    read, _write = os.pipe()
    monkeypatch.setattr(os, "closerange", lambda *_: None)
    assert not rehearsal._ends(lambda: os.read(read, 1))
