"""Topic exploration through the one door: what stands in the database afterwards."""

import json

import pytest
from django.apps import apps
from django.core import serializers

from interviews.choices import SessionStatus
from interviews.models import TranscriptEntry, Turn
from interviews.turns import actions
from interviews.turns.replay import first_difference
from interviews.turns.session_start import StartRequest
from llm.concurrency.threads import in_database
from tests.conftest import make_topic_bot
from tests.interviews.talk import begin

pytestmark = pytest.mark.django_db(transaction=True)
HIGH = (
    "In 2019 the old kettle from Moulinex broke, which was a real problem for the five of us, and "
    "I was so angry that I went to three shops in Leeds the same day to compare what they had."
)


async def all_phases():
    """An interview through exploration, the way back, consent and an e-mail address."""
    bot = await in_database(make_topic_bot)
    talk = await begin(bot)
    for text in (HIGH, "no", "not much", "nothing", HIGH, "no", "no", "no", "no"):
        if (await talk.session()).state["exploration"]["phase"] == "DATA_COLLECTION":
            break
        await talk.say(text)
    assert (await talk.session()).state["exploration"]["phase"] == "DATA_COLLECTION"
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
