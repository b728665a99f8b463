"""Distress through the one door: care, no probing, and the participant's choice, wherever it is."""

import json
from functools import partial
from uuid import uuid4

import pytest
from django.test import AsyncClient

from interviews.choices import EntryKind, SessionStatus
from interviews.engine.texts import FOLDER, wordings
from interviews.exports.reasons import REASONS
from interviews.protocols.life_story.tasks import LifeStoryLed
from llm.concurrency.threads import in_database
from plans.models import BotText
from reflections.summaries.makers import plain_summary
from tests.assessments import make_assessment_bot
from tests.conftest import make_bot, make_topic_bot
from tests.forgetting import forget_failures
from tests.interviews.talk import Talk, begin, in_confidence, same_again
from tests.interviews.test_laddering import make_bot as make_ladder_bot
from tests.readings import heard
from tests.scripted import scripted
from tests.transfers import make_transfer_bot

pytestmark = pytest.mark.django_db(transaction=True)
CALM = (
    "We kept the orders in a paper book for years, since the printer was next door and old Ivo "
    "knew every customer by name; that is what I would still do, for example, in a small shop."
)
CRY = "My husband beats me, ever since Zanzibar."
MORE = "It began in Zanzibar, on the second evening, and I never told my sister."
CRISIS = ("Zanzibar", "husband", "my sister")
BOTS = {
    "life_story": make_bot,
    "topic_exploration": make_topic_bot,
    "technical_assessment": partial(make_assessment_bot, options={"ask_experience": False}),
    "knowledge_transfer": make_transfer_bot,
    "laddering": make_ladder_bot,
}


@pytest.fixture
def silent_model(settings):
    """A model that hears everything and never answers: rules speak, and what it heard is kept."""
    settings.LLM_PROVIDER = "scripted"
    return scripted


async def begun(kind: str) -> Talk:
    return await begin(await in_database(BOTS[kind]))


async def kinds(talk: Talk) -> list[str]:
    return [entry.kind for entry in await talk.entries()]


async def reasons(talk: Talk) -> list[str]:
    return [turn.decision["reason"] for turn in await talk.turns()]


@pytest.mark.parametrize("kind", BOTS)
async def test_after_care_nothing_probes_until_the_participant_goes_on(kind, silent_model):
    talk = await begun(kind)
    await talk.say(CALM)
    forget_failures()
    assert "emergency number" in await talk.say(CRY)
    asked = len(silent_model.requests)
    more = await talk.say(MORE)
    assert "112" in more
    assert more.endswith(tuple(wordings("en", "care_stays")))
    assert len(silent_model.requests) == asked  # no model was asked at all
    on = await talk.say("Yes, let us go on.")
    assert "just skip it" in on
    assert not [words for words in CRISIS if words in on]
    assert (await reasons(talk))[-3:] == ["distress", "care_choice", "goes_on"]
    assert (await talk.session()).flagged

    forget_failures()
    for _ in range(3):
        said = await talk.say(CALM)
        assert not [words for words in CRISIS if words in said]
    heard = "".join(repr(request) for request in silent_model.requests[asked:])
    assert heard
    assert not [words for words in CRISIS if words in heard]
    assert await same_again(talk) == ""


@pytest.mark.parametrize("kind", BOTS)
@pytest.mark.parametrize("word", ["No.", "Please stop.", "I'd like to end it here"])
async def test_the_participant_may_end_it_after_care(kind, word):
    talk = await begun(kind)
    await talk.say(CRY)
    await talk.say(word)
    session = await talk.session()
    assert session.status == SessionStatus.STOPPED
    assert session.flagged
    assert (await kinds(talk))[-1] == "outro"
    assert await same_again(talk) == ""


@pytest.mark.parametrize("kind", BOTS)
async def test_skip_after_care_leaves_the_question(kind):
    talk = await begun(kind)
    await talk.say(CRY)
    said = await talk.say("", trigger="skip")
    assert said
    assert not [words for words in CRISIS if words in said]
    assert (await kinds(talk)).count("care") == 1


@pytest.mark.parametrize(("language", "cry"), [("en", "I want to die."), ("it", "Voglio morire.")])
async def test_it_is_heard_in_a_talk_in_another_language(language, cry):
    """People fall back into their own language when it is bad."""
    talk = await begun("life_story")
    await talk.say(cry)
    assert (await kinds(talk))[-1] == "care"


async def test_a_second_sign_is_met_with_care_again():
    talk = await begun("life_story")
    for text in (CRY, "I want to die.", "Yes, go on", "I want to die."):
        await talk.say(text)
    assert (await kinds(talk)).count("care") == 3


async def test_a_past_told_calmly_is_an_answer_like_any_other():
    talk = await begun("life_story")
    await talk.say("My grandmother took her own life in 1952, and at home nobody spoke of it.")
    assert not (await talk.session()).flagged
    assert "care" not in await kinds(talk)


async def test_the_bots_own_words_of_care_come_first():
    bot = await in_database(make_bot)
    await in_database(
        partial(BotText.objects.create, bot=bot, language="en", care="Ring 116 123, day and night.")
    )
    talk = await begin(bot)
    assert await talk.say(CRY) == "Ring 116 123, day and night."
    stays = wordings("en", "care_stays")
    assert await talk.say(MORE) in [f"Ring 116 123, day and night. {text}" for text in stays]


async def test_in_confidence_the_rest_of_a_crisis_is_hidden():
    talk = await begun("topic_exploration")
    await in_confidence(talk)
    await talk.say(f"{CRY} Ring me on 040 1234567.")
    assert "040" not in (await _said(talk))[-1]
    await talk.say(MORE)
    assert not [words for words in CRISIS if words in (await _said(talk))[-1]]
    assert (await reasons(talk))[-2:] == ["distress", "care_choice"]


async def _said(talk: Talk) -> list[str]:
    return [entry.text for entry in await talk.entries() if entry.role == "participant"]


async def test_what_was_said_in_distress_is_in_no_summary():
    talk = await begun("life_story")
    for text in (CALM, CRY, MORE, "Yes", CALM):
        await talk.say(text)
    written = json.dumps(await in_database(plain_summary, await talk.session()))
    assert "paper book" in written
    assert not [words for words in CRISIS if words in written]


def test_the_trace_says_why():
    assert {"distress", "care_choice"} <= set(REASONS)


# -- on page, API and stream alike


@pytest.fixture
async def talk() -> Talk:
    return await begun("life_story")


async def met_with_care(talk: Talk, shown: str) -> None:
    assert "emergency number" in shown
    assert (await talk.session()).flagged
    assert (await kinds(talk))[-1] == EntryKind.CARE


async def test_on_the_page(talk):
    client = talk.browser()
    fields = {"text": CRY, "message_id": uuid4().hex, "answering": "2"}
    await client.post(f"/s/{talk.session_id}/answer/", fields)
    page = await client.get(f"/s/{talk.session_id}/")
    await met_with_care(talk, page.content.decode())


async def _posted(talk: Talk, **fields) -> str:
    headers = {"Authorization": f"Bearer {talk.token}"}
    data = json.dumps({"session_id": str(talk.session_id), "answer": CRY, **fields})
    reply = await AsyncClient().post(
        "/api/chat", data, content_type="application/json", headers=headers
    )
    if not reply.streaming:
        return reply.content.decode()
    return "".join([piece.decode() async for piece in reply.streaming_content])


@pytest.mark.parametrize("stream", [False, True])
async def test_by_the_api_at_once_and_as_a_stream(talk, stream):
    await met_with_care(talk, await _posted(talk, stream=stream))


@pytest.mark.parametrize(
    "key", ["care", "care_choice", "care_stays", "care_waits", "may_skip", "go_on", "stop_stays"]
)
@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.yaml")), ids=lambda path: path.stem)
def test_every_language_has_words_for_it(path, key):
    assert all(text.strip() for text in wordings(path.stem, key))


ROUNDABOUT = "Since Zanzibar everything would go more smoothly for them all without me in it."


@pytest.mark.parametrize(("care", "flagged"), [("acute", True), ("heavy", False), ("none", False)])
async def test_a_sign_in_a_roundabout_way_is_read_by_the_model(care, flagged, silent_model):
    talk = await begun("life_story")
    silent_model.reply("life_story.lead", LifeStoryLed(**heard(care=care)))
    said = await talk.say(ROUNDABOUT)
    assert ("emergency number" in said) is flagged
    assert (await talk.session()).flagged is flagged
    assert await same_again(talk) == ""


async def test_an_offer_to_skip_after_something_hard_replays(silent_model):
    talk = await begun("life_story")
    silent_model.reply("life_story.lead", LifeStoryLed(**heard("ask_back", "heavy")))
    reply = await talk.say("My son died. Who will read this?")
    assert "just skip it" in reply
    assert await same_again(talk) == ""


async def test_without_a_model_a_roundabout_way_is_an_answer(silent_model):
    talk = await begun("life_story")
    await talk.say(ROUNDABOUT)
    assert not (await talk.session()).flagged
    assert await same_again(talk) == ""
