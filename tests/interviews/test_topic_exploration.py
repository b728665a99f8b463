"""Topic exploration through the one door: what stands in the database afterwards."""

import json

import pytest
from django.apps import apps
from django.core import serializers
from django.utils import timezone

from interviews.choices import SessionStatus
from interviews.models import CollectedValue, TranscriptEntry, Turn, Webhook, WebhookDelivery
from interviews.overview.days import counted
from interviews.turns import actions
from interviews.turns.replay import first_difference
from interviews.turns.session_start import StartRequest
from interviews.turns.snapshot import snapshot
from llm.concurrency.threads import in_database
from tests.conftest import make_topic_bot
from tests.interviews.talk import begin
from tests.interviews.test_webhooks import hook

pytestmark = pytest.mark.django_db(transaction=True)
REWARD = {"kind": "fixed", "code": "KETTLE", "early": True}
ENDINGS = [Webhook.Event.COMPLETED, Webhook.Event.STOPPED]
HIGH = (
    "In 2019 the old kettle from Moulinex broke, which was a real problem for the five of us, and "
    "I was so angry that I went to three shops in Leeds the same day to compare what they had."
)


async def up_to_contact_data(**options):
    """An interview through exploration and the way back, in which contact data is asked for."""
    bot = await in_database(lambda: make_topic_bot(options=options))
    await in_database(lambda: hook(events=ENDINGS))
    talk = await begin(bot)
    for text in (HIGH, "no", "not much", "nothing", HIGH, "no", "no", "no", "no"):
        if (await talk.session()).state["exploration"]["phase"] == "DATA_COLLECTION":
            break
        await talk.say(text)
    assert (await talk.session()).state["exploration"]["phase"] == "DATA_COLLECTION"
    return talk


async def all_phases():
    """The same with consent and an e-mail address."""
    talk = await up_to_contact_data()
    await talk.say("Yes, that is fine")
    await talk.say("It's ann.canary@example.org")
    return talk


async def test_an_interview_through_all_phases(db):
    talk = await all_phases()
    session = await talk.session()
    assert session.status == SessionStatus.COMPLETED
    done = await talk.turns()
    phases = [turn.decision["details"]["phase"] for turn in done]
    assert {"EXPLORE", "DEEPEN", "DATA_COLLECTION", "END"} <= set(phases)
    assert all(turn.decision["details"]["supervisor"] for turn in done)
    kinds = [entry.kind for entry in await talk.entries()]
    assert kinds[0] == "intro"
    assert "consent_request" in kinds
    assert "data_request" in kinds
    assert kinds[-1] == "outro"


async def test_finished_is_finished_before_contact_data_is_asked_for(db):
    talk = await up_to_contact_data(reward=REWARD)
    session = await talk.session()
    assert session.status == SessionStatus.COMPLETED
    assert session.ended_at is not None
    assert session.reward["code"] == "KETTLE"
    assert await in_database(_told) == ["interview.completed"]
    assert (await in_database(counted, session.bot, timezone.now()))[0]["state"]["completed"] == 1


async def test_contact_data_can_still_be_given_and_changes_nothing_else(db):
    talk = await up_to_contact_data(reward=REWARD)
    finished = await talk.session()
    asked = await in_database(snapshot, finished)
    assert (asked.status, asked.over, asked.reward) == ("WAITING_ANSWER", False, None)
    assert not asked.asks_rating
    await actions.pause(finished)
    assert (await in_database(snapshot, await talk.session())).status == "PAUSED"
    await actions.resume(await talk.session())
    await talk.say("Yes, that is fine")
    await talk.say("It's ann.canary@example.org")
    session = await talk.session()
    assert await in_database(CollectedValue.objects.count) == 1
    same = ("status", "ended_at", "reward", "away_total")
    assert [getattr(session, name) for name in same] == [getattr(finished, name) for name in same]
    assert await in_database(_told) == ["interview.completed"]
    over = await in_database(snapshot, session)
    assert (over.status, over.over, over.reward.code) == ("COMPLETED", True, "KETTLE")


async def test_finishing_early_gets_the_early_reward_before_contact_data_is_asked_for(db):
    bot = await in_database(lambda: make_topic_bot(options={"reward": REWARD}))
    await in_database(lambda: hook(events=ENDINGS))
    talk = await begin(bot)
    await talk.say(HIGH)
    await actions.end(await talk.session(), "finish")
    session = await talk.session()
    assert session.state["exploration"]["phase"] == "DATA_COLLECTION"
    assert (session.status, session.reward["code"]) == (SessionStatus.STOPPED, "KETTLE")
    assert await in_database(_told) == ["interview.stopped"]
    await actions.end(session, "end")
    assert not (await talk.session()).is_active
    assert await in_database(_told) == ["interview.stopped"]


async def test_starting_again_leaves_a_finished_interview_finished(db):
    talk = await up_to_contact_data()
    session = await talk.session()
    await begin(session.bot, participant=session.participant)
    assert (await talk.session()).status == SessionStatus.COMPLETED


async def test_withdrawing_while_contact_data_is_asked_for_leaves_nothing_open(db):
    talk = await up_to_contact_data()
    await actions.withdraw(await talk.session())
    session = await talk.session()
    assert (session.status, session.contact_status) == (SessionStatus.WITHDRAWN, "")
    assert not session.is_active


def _told() -> list[str]:
    return list(WebhookDelivery.objects.order_by("pk").values_list("event", flat=True))


async def test_the_value_stands_sealed_in_one_place_only(db):
    await all_phases()
    assert await in_database(_holding, "ann.canary") == []
    assert "[" in await in_database(_last_answer)


def _holding(words: str) -> list[str]:
    """Rows, of whatever table, in which these words stand."""
    rows = (row for model in apps.get_models() for row in model.objects.all())
    return [text for row in rows if words in (text := serializers.serialize("json", [row]))]


def _last_answer() -> str:
    return TranscriptEntry.objects.filter(role="participant").last().text


async def test_replay_gives_the_same(db):
    talk = await all_phases()
    assert await in_database(first_difference, await talk.session()) == ""


async def test_every_utterance_before_the_end_asks(db):
    talk = await all_phases()
    for turn in await talk.turns():
        said = await in_database(
            lambda t=turn: list(t.entries.filter(role="interviewer").values_list("text", flat=True))
        )
        if not turn.decision["ended"]:
            assert "?" in said[-1]


async def test_a_bot_can_be_held_in_several_languages(db):
    bot = await in_database(make_topic_bot, options={"languages": ["en", "it", "ru"]})
    talk = await begin(bot, language="it")
    assert "Cominciamo da" in (await talk.entries())[-1].text


async def test_the_api_says_topics_and_no_number_of_questions(db):
    from interviews.api.queries import open_bots

    await in_database(make_topic_bot)
    (card,) = await in_database(open_bots)
    assert card["protocol"] == "topic_exploration"
    assert card["questions"] is None
    started = await actions.start(StartRequest(card["slug"], "Ann"))
    assert started.snapshot.progress
    assert started.snapshot.progress.unit == "topics"
    turn = await in_database(Turn.objects.get)
    assert json.dumps(turn.decision)


async def test_signals_and_coverage_are_exported(db):
    from interviews.exports.registry import TABLES
    from interviews.exports.selection import Selection

    await all_phases()

    def read(name):
        table = TABLES[name]
        rows = table.rows(Selection())
        return [{c.name: c.read(row) for c in table.columns} for row in rows]

    signals = await in_database(read, "signals")
    assert signals[1]["signal_band"] == "HIGH"
    assert signals[-1]["supervisor"] == "FINAL_GOODBYE"
    coverage = await in_database(read, "coverage")
    assert [row["topic"] for row in coverage] == ["choosing", "using", "caring"]
    assert {row["coverage"] for row in coverage} <= {"none", "partial", "full"}
