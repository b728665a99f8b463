"""Interviews come out the same when they are made again from what was read in them."""

import io
from datetime import timedelta
from functools import partial

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db.models import F

from interviews.choices import SessionStatus
from interviews.engine.leading import SameQuestion
from interviews.models import Session, TranscriptEntry, Turn
from interviews.protocols.life_story.tasks import LifeStoryLed
from interviews.turns import actions
from interviews.turns.session_start import StartRequest
from llm.concurrency.threads import in_database
from llm.models import LLMCall
from plans.models import Bot
from tests.conftest import make_bot
from tests.factories import CallFactory, SessionFactory
from tests.interviews.talk import begin, same_again
from tests.scripted import scripted

pytestmark = pytest.mark.django_db(transaction=True)
STORY = (
    "We lived over a bakery in Riga, the five of us in two rooms, and my grandmother told stories "
    "every evening while the ovens below warmed the floor under our feet."
)
WALKS = {
    "to the end": [STORY] * 4,
    "short answers": ["Yes.", "No.", STORY, "It was fine.", "Hm.", STORY, "Well."],
    "skips": ["skip", STORY, "I'd rather not say.", "Let's move on."],
    "notes by rules": ["My name is Ann and I was born in 1961.", "I have three children.", STORY],
    "stop and on": ["I want to stop.", "No, let us go on.", STORY],
    "stop": [STORY, "I want to stop.", "Yes."],
    "care and on": ["I want to kill myself.", "Yes, I would like to go on.", STORY],
    "care and end": ["I want to kill myself.", "No."],
    "hard": ["My mother died when I was nine, and nobody told me for a week.", STORY],
    "odd": ["<b>=1+1</b>", "\u05e9\u05dc\u05d5\u05dd 👩‍👩‍👧 e\u0301", STORY],
}


@pytest.mark.parametrize("walk", WALKS)
async def test_a_walk_comes_out_the_same(bot, walk):
    talk = await begin(bot)
    for answer in WALKS[walk]:
        if (await talk.session()).is_active:
            await talk.say(answer)
    assert await same_again(talk) == ""


async def test_buttons_and_pauses(bot):
    talk = await begin(bot)
    await talk.say(STORY)
    await actions.pause(await talk.session())
    await in_database(
        Session.objects.filter(pk=talk.session_id).update,
        paused_at=F("paused_at") - timedelta(hours=3),
    )
    await actions.resume(await talk.session())
    await talk.say("", trigger="skip")
    await actions.pause(await talk.session())
    await talk.say("Well.")
    await actions.end(await talk.session(), "stop-button")
    assert (await talk.session()).status == SessionStatus.STOPPED
    assert await same_again(talk) == ""


async def test_a_long_interview_past_what_a_turn_reads(db):
    talk = await begin(await in_database(make_bot, 60))
    while (await talk.session()).is_active:
        await talk.say("We moved to the coast." if talk.count % 3 else STORY)
    assert (await talk.session()).length > 100
    assert await same_again(talk) == ""


async def test_a_bot_deleted_in_mid_interview(bot):
    talk = await begin(bot)
    await talk.say(STORY)
    await in_database(Bot.objects.filter(pk=bot.pk).delete)
    await talk.say(STORY)
    assert await same_again(talk) == ""


async def test_an_interview_put_aside(bot):
    talk = await begin(bot)
    await talk.say(STORY)
    session = await talk.session()
    await actions.start(StartRequest(bot.slug, ""), participant=session.participant)
    assert (await talk.session()).status == SessionStatus.ARCHIVED
    assert await same_again(talk) == ""


async def test_what_was_changed_is_named(bot):
    talk = await begin(bot)
    await talk.say(STORY)
    await in_database(
        TranscriptEntry.objects.filter(turn__number=1, slot=1).update, text="Something else."
    )
    assert (await same_again(talk)).startswith("turn 1: utterances")


async def test_a_changed_state_is_named(bot):
    talk = await begin(bot)
    session = await talk.session()
    session.state["stays"] = 7
    await in_database(session.save, update_fields=["state"])
    assert "state.stays is 0 when made again, and 7" in await same_again(talk)


async def test_an_unknown_reading_is_named(bot):
    talk = await begin(bot)
    await talk.say(STORY)
    kept = {"lead": {"task": "no.such", "value": {}, "source": "model", "reason": ""}}
    await in_database(Turn.objects.filter(number=1).update, readings=kept)
    assert "can't be made again" in await same_again(talk)


async def test_the_command(bot):
    one, other = await begin(bot), await begin(bot)
    await one.say(STORY)
    out = io.StringIO()
    await in_database(call_command, "replay", str(one.session_id), stdout=out)
    assert out.getvalue() == f"{one.session_id} same\n"
    await in_database(Session.objects.filter(pk=other.session_id).update, state={})
    with pytest.raises(SystemExit) as ended:
        await in_database(call_command, "replay", "--all", stdout=out)
    assert ended.value.code == 1
    assert f"{other.session_id} state." in out.getvalue()


@pytest.mark.parametrize("wrong", [[], ["00000000-0000-0000-0000-000000000000"]])
def test_the_command_refuses(db, wrong):
    with pytest.raises(CommandError):
        call_command("replay", *wrong)


# -- with another model, or other prompts

PROMPT = """---
version: other
---
# System
$rules $language $persona
# Message
"""


@pytest.fixture
async def led_by_rules(bot, monkeypatch):
    """The id of an interview of one answer, with a model to ask from then on."""
    talk = await begin(bot)
    await talk.say(STORY)
    monkeypatch.setattr(settings, "LLM_PROVIDER", "scripted")
    return str(talk.session_id)


async def test_another_model_says_what_it_would_have_said(led_by_rules):
    asked = LifeStoryLed(heard="fully q2", say="What comes to mind about your school, then?")
    scripted.always("life_story.lead", asked)
    scripted.always("interviews.same_question", SameQuestion(same="yes"))
    out = io.StringIO()
    call = partial(call_command, "replay", led_by_rules, "--with-model", "other-1", "--yes")
    await in_database(partial(call, stdout=out, stderr=io.StringIO()))
    assert f"Participant: {STORY}" in out.getvalue()
    assert f"would say: {asked.say}" in out.getvalue()
    assert {request.model for request in scripted.requests} == {"other-1"}
    assert await in_database(LLMCall.objects.count) == 0


def test_the_costs_that_are_said_first_are_those_of_the_interviewers_calls(monkeypatch):
    monkeypatch.setattr(settings, "LLM_PROVIDER", "scripted")
    monkeypatch.setattr("builtins.input", lambda prompt: "n")
    session = SessionFactory()
    CallFactory(session=str(session.pk), turn=1, cost="0.25")
    for task in ("reflections.expert", "replica.answer", "evaluation.respond"):
        CallFactory(session=str(session.pk), turn=None, task=task, cost="9")
    err = io.StringIO()
    call_command("replay", str(session.pk), "--with-model", "other-1", stderr=err)
    assert "took 100 tokens in and 20 out; as much again will cost about 0.25" in err.getvalue()


def test_costs_that_are_known_in_part_are_unknown(monkeypatch):
    monkeypatch.setattr(settings, "LLM_PROVIDER", "scripted")
    monkeypatch.setattr("builtins.input", lambda prompt: "n")
    session, err = SessionFactory(), io.StringIO()
    for cost in ("0.25", None):
        CallFactory(session=str(session.pk), turn=1, cost=cost)
    call_command("replay", str(session.pk), "--with-model", "other-1", stderr=err)
    assert "will cost an unknown amount" in err.getvalue()


async def test_prompts_that_are_missing_or_broken_are_named(led_by_rules, tmp_path):
    call = partial(call_command, "replay", led_by_rules, "--with-prompts", str(tmp_path), "--yes")
    with pytest.raises(CommandError, match=r"life_story\.lead\.md"):
        await in_database(call)
    (tmp_path / "life_story.lead.md").write_text(PROMPT)
    with pytest.raises(CommandError, match=r"life_story\.lead: the template"):
        await in_database(call)


def test_without_anybody_to_ask_about_the_costs_none_are_made(monkeypatch):
    monkeypatch.setattr(settings, "LLM_PROVIDER", "scripted")
    monkeypatch.setattr("sys.stdin", io.StringIO())
    with pytest.raises(CommandError, match="say --yes"):
        call_command("replay", str(SessionFactory().pk), "--with-model", "m", stderr=io.StringIO())
