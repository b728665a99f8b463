"""How answers came about: kept with the answer, bounded whatever is sent, told to researchers."""

import json
import math
from datetime import timedelta
from uuid import uuid4

import pytest
from django.contrib.auth.models import Permission, User
from django.test import AsyncClient
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from interviews.choices import EntryKind
from interviews.exports.formats import FORMATS
from interviews.measures import paradata
from interviews.models import Paradata, Session, TranscriptEntry, Turn
from interviews.protocols import PROTOCOLS
from interviews.security import access
from interviews.turns import actions
from llm.concurrency.threads import in_database
from plans.models import Bot
from tests.each import each
from tests.factories import AnswerFactory, EntryFactory, SessionFactory, TurnFactory, talk
from tests.interviews.confiding import TOLD, Confiding
from tests.interviews.exports.reading import column, read
from tests.interviews.talk import Talk, begin

EVERYTHING = {
    "first_key_ms": 4_200,
    "edits": 3,
    "pastes": 1,
    "pasted_characters": 20,
    "focus_losses": 2,
    "away_ms": 9_000,
    "dictated": True,
}
STORY = "We lived over a bakery by the canal, the five of us in two rooms."
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=10,
)


def measured(talk_: Talk) -> list[Paradata]:
    """Of all its answers, in order."""
    rows = Paradata.objects.filter(entry__session=talk_.session_id).order_by("entry__position")
    return list(rows)


async def sent(talk_: Talk, text: str = STORY, message_id: str = "one", **measures) -> int:
    turn = await actions.receive(await talk_.session(), text, message_id, measures=measures)
    assert await actions.finished(turn)
    return turn


# -- the gate


@given(JSON | st.dictionaries(st.sampled_from(list(EVERYTHING)), JSON))
def test_whatever_is_told_only_sense_is_kept(given_):
    kept = paradata.clean_measures(given_)
    assert set(kept) <= set(EVERYTHING)
    for name, value in kept.items():
        assert isinstance(value, bool if name == "dictated" else int)
        assert name == "dictated" or 0 <= value <= paradata.MOST


@given(st.text() | JSON.map(json.dumps))
def test_any_form_field_can_be_read(field):
    assert set(paradata.from_form(field)) <= set(EVERYTHING)


@each("value", [-1, 1e30, math.nan, math.inf, "12", True, None, [], {}, paradata.MOST + 1])
def test_a_measure_that_makes_no_sense_is_left_out_alone(value):
    assert paradata.clean_measures({**EVERYTHING, "edits": value}) == {
        name: kept for name, kept in EVERYTHING.items() if name != "edits"
    }


def test_measures_that_make_sense_are_kept():
    assert paradata.clean_measures(EVERYTHING) == EVERYTHING
    assert paradata.from_form(json.dumps(EVERYTHING)) == EVERYTHING
    assert paradata.clean_measures({"first_key_ms": 12.7, "dictated": 1, "keys": "abc"}) == {
        "first_key_ms": 12
    }


@each("field", ["", "{", "undefined", "[" * 1_900, "9" * 1_900, "x" * 10_000_000, "null", "\x00"])
def test_nonsense_in_a_form_is_nothing(field):
    assert paradata.from_form(field) == {}


# -- stored with the answer


@pytest.mark.django_db(transaction=True)
async def test_the_same_message_again_changes_nothing(bot):
    talk_ = await begin(bot)
    first = await sent(talk_, **EVERYTHING)
    assert await sent(talk_, **{**EVERYTHING, "edits": 99}) == first
    (row,) = await in_database(measured, talk_)
    assert {name: getattr(row, name) for name in EVERYTHING} == EVERYTHING
    assert row.response_ms is not None


@pytest.mark.django_db(transaction=True)
async def test_the_answer_s_time_is_the_server_s_without_the_pause(bot):
    talk_ = await begin(bot)
    ago = timedelta(minutes=10)
    await in_database(_long_ago, talk_, ago)
    await actions.pause(await talk_.session())
    await in_database(_paused_for, talk_, ago / 2)
    await sent(talk_)
    (row,) = await in_database(measured, talk_)
    assert 300_000 <= row.response_ms < 400_000


def _long_ago(talk_: Talk, ago: timedelta) -> None:
    for entry in TranscriptEntry.objects.filter(session=talk_.session_id):
        TranscriptEntry.objects.filter(pk=entry.pk).update(at=entry.at - ago)


def _paused_for(talk_: Talk, time: timedelta) -> None:
    session = Session.objects.get(pk=talk_.session_id)
    Session.objects.filter(pk=session.pk).update(paused_at=session.paused_at - time)


@pytest.mark.django_db(transaction=True)
async def test_after_more_time_than_fits_the_response_time_is_empty(bot):
    talk_ = await begin(bot)
    await in_database(_long_ago, talk_, timedelta(days=40))
    await sent(talk_)
    (row,) = await in_database(measured, talk_)
    assert row.response_ms is None


@pytest.mark.django_db(transaction=True)
async def test_where_the_bot_keeps_none_there_is_none(bot):
    talk_ = await begin(bot)
    bot.keeps_paradata = False
    await in_database(bot.save)
    await sent(talk_, **EVERYTHING)
    assert await in_database(measured, talk_) == []
    page = await talk_.browser().get(f"/s/{talk_.session_id}/")
    assert "data-measured" not in page.content.decode()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("way", ["page", "api"])
async def test_switched_on_it_holds_for_who_begins_afterwards(bot, way):
    """Nobody is measured who was told nothing of it."""
    await Bot.objects.filter(pk=bot.pk).aupdate(keeps_paradata=False)
    before = await _entered(bot, way)
    await sent(before, message_id="before", **EVERYTHING)
    await Bot.objects.filter(pk=bot.pk).aupdate(keeps_paradata=True)
    await sent(before, message_id="since", **EVERYTHING)
    assert await in_database(measured, before) == []
    assert not await _is_watched(before)
    after = await _entered(bot, way)
    await sent(after, **EVERYTHING)
    assert len(await in_database(measured, after)) == 1
    assert await _is_watched(after)


async def _entered(bot: Bot, way: str) -> Talk:
    """Somebody new who has begun by the bot's page, or by a program."""
    client, json_type = AsyncClient(), "application/json"
    if way == "api":
        await client.post("/api/chat/start", {"bot": bot.slug}, content_type=json_type)
    else:
        await client.post(f"/i/{bot.slug}/", {"name": "Ann"})
    session = await Session.objects.alatest("started_at")
    return Talk(session.pk, cookie=client.cookies[access.PARTICIPANT_COOKIE].value)


async def _is_watched(talk_: Talk) -> bool:
    """Whether the page's script is told to measure."""
    page = await talk_.browser().get(f"/s/{talk_.session_id}/")
    assert page.status_code == 200
    return "data-measured" in page.content.decode()


@pytest.mark.django_db(transaction=True)
async def test_interviews_from_before_it_was_known_are_not_measured(bot):
    talk_ = await begin(bot)
    await Session.objects.aupdate(
        collects_paradata=Session._meta.get_field("collects_paradata").get_default()
    )
    await sent(talk_, **EVERYTHING)
    assert await in_database(measured, talk_) == []


@pytest.mark.django_db(transaction=True)
async def test_skips_are_measured_and_stopping_is_not(bot):
    talk_ = await begin(bot)
    await talk_.say("", trigger="skip")
    await actions.end(await talk_.session(), "end")
    (row,) = await in_database(measured, talk_)
    assert row.response_ms is not None


@pytest.mark.django_db(transaction=True)
async def test_who_withdraws_leaves_none(bot):
    talk_ = await begin(bot)
    await sent(talk_, **EVERYTHING)
    await actions.withdraw(await talk_.session())
    assert await in_database(Paradata.objects.count) == 0
    assert not (await talk_.session()).collects_paradata


# -- by form and by API


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("field", "edits"),
    [(json.dumps(EVERYTHING), 3), ("{'", None), ("9" * 1_000_000, None), (None, None)],
    ids=["measures", "nonsense", "a million digits", "nothing"],
)
async def test_a_form_is_taken_whatever_it_says_of_its_writing(bot, field, edits):
    talk_ = await begin(bot)
    form = {"text": STORY, "message_id": uuid4().hex, "answering": "2"}
    form |= {} if field is None else {"paradata": field}
    answered = await talk_.browser().post(f"/s/{talk_.session_id}/answer/", form)
    assert answered.status_code == 303
    (row,) = await in_database(measured, talk_)
    assert row.edits == edits
    assert row.response_ms is not None


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("told", "edits"),
    [
        ('{"edits": 3, "pastes": -1}', 3),
        ('{"edits": 1e30, "more": {"deep": [1]}}', None),
        ('{"edits": "3"}', None),
        ('{"edits": NaN}', None),
        ("null", None),
        ("[1, 2]", None),
        ('"words"', None),
        (f'{{"edits": 3, "keys": "{"x" * 2_000_000}"}}', 3),
    ],
    ids=["one wrong", "too much", "a string", "no number", "null", "a list", "words", "two MB"],
)
async def test_the_api_refuses_no_answer_for_its_paradata(bot, told, edits):
    talk_ = await begin(bot)
    body = (
        f'{{"session_id": "{talk_.session_id}", "answer": {json.dumps(STORY)}, "paradata": {told}}}'
    )
    answered = await AsyncClient().post(
        "/api/chat",
        body,
        content_type="application/json",
        headers={"Authorization": f"Bearer {talk_.token}"},
    )
    assert answered.status_code == 200, answered.content[:300]
    (row,) = await in_database(measured, talk_)
    assert row.edits == edits
    assert row.pastes is None


@pytest.mark.django_db(transaction=True)
async def test_the_api_s_document_explains_each_measure(bot):
    document = (await AsyncClient().get("/api/openapi.json")).json()
    fields = document["components"]["schemas"]["ParadataIn"]["properties"]
    assert set(fields) == set(EVERYTHING)


# -- for researchers


@pytest.mark.django_db
@pytest.mark.parametrize("form", FORMATS)
def test_the_table_has_a_row_for_each_answer(form):
    session = talk(SessionFactory(), [STORY, "ok"])
    first = TranscriptEntry.objects.get(text=STORY)
    Paradata.objects.create(entry=first, response_ms=61_000, **EVERYTHING)
    rows = read("paradata", form)
    assert [str(row["session_id"]) for row in rows] == [str(session.pk)] * 2
    assert column(rows, "question") == ["q1", "q2"]
    assert [str(row["position"]) for row in rows] == ["3", "5"]
    assert [str(row["words"]) for row in rows] == ["15", "1"]
    assert str(rows[0]["response_ms"]) == "61000"
    assert str(rows[0]["dictated"]).lower() in ("true", "1")
    assert rows[1]["response_ms"] in ("", None)
    assert [float(row["effort_score"]) for row in rows] == [0, pytest.approx(0.617, abs=0.01)]
    assert str(rows[1]["effort_signs"]) == "empty short"


@pytest.mark.django_db
def test_what_is_no_answer_has_no_rating():
    talk(SessionFactory(), [STORY, "ok", STORY])
    TranscriptEntry.objects.filter(text="ok").update(text="rather not", kind=EntryKind.SKIP)
    scores = column(read("paradata"), "effort_score")
    assert scores[1] == ""
    assert "" not in (scores[0], scores[2])


@pytest.mark.django_db
def test_answers_of_many_interviews_keep_to_their_own():
    bot = SessionFactory().bot
    for number in range(120):
        session = talk(SessionFactory(bot=bot), [STORY])
        answer = session.entries.get(text=STORY)
        if number % 2:
            Paradata.objects.create(entry=answer, edits=number)
    rows = read("paradata")
    assert column(rows, "edits") == [str(n) if n % 2 else "" for n in range(120)]


@pytest.mark.django_db(transaction=True)
async def test_what_is_given_in_confidence_is_counted_and_not_rated(bot, monkeypatch):
    monkeypatch.setitem(PROTOCOLS, "life_story", Confiding())
    talk_ = await begin(bot)
    await sent(talk_, TOLD, **EVERYTHING)
    (row,) = await in_database(read, "paradata")
    assert row["edits"] == "3"
    assert row["effort_score"] == ""


@pytest.mark.django_db
def test_a_question_that_was_streamed_was_read_while_it_came():
    session = SessionFactory()
    opening = TurnFactory(session=session, trigger="opening", first_word_ms=400, total_ms=9_000)
    EntryFactory(turn=opening, kind="question", text="Where do you live now, and with whom?")
    answer = AnswerFactory(turn=TurnFactory(session=session), text=STORY)
    Paradata.objects.create(entry=answer, response_ms=100)
    assert column(read("paradata"), "effort_signs") == [""]
    Turn.objects.filter(pk=opening.pk).update(total_ms=400)
    assert column(read("paradata"), "effort_signs") == ["hurried"]


# -- on the interview's page


def _page(session: Session) -> str:
    return reverse("admin:interviews_session_change", args=[session.pk])


@pytest.mark.django_db
def test_the_page_tells_how_answers_came_about(admin_client):
    session = talk(SessionFactory(), [STORY, "ok"])
    first = TranscriptEntry.objects.get(text=STORY)
    Paradata.objects.create(entry=first, response_ms=61_000, **EVERYTHING)
    shown = admin_client.get(_page(session)).content.decode()
    for words in (
        "After 61 s, started after 4 s",
        "3 changes",
        "20 characters pasted",
        "page left 2 times, for 9 s",
        "partly dictated",
        "1 of 2<",
        "Words that tell nothing of what was asked",
    ):
        assert words in shown, words
    assert 'href="#e5"' in shown


@pytest.mark.django_db
def test_who_may_not_see_measures_sees_none(client):
    session = talk(SessionFactory(), [STORY, "ok"])
    first = TranscriptEntry.objects.get(text=STORY)
    Paradata.objects.create(entry=first, response_ms=61_000, **EVERYTHING)
    user = User.objects.create_user("somebody", password="x", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename="view_session"))
    client.force_login(user)
    shown = client.get(_page(session)).content.decode()
    assert "After 61 s" not in shown
    assert "hurried" not in shown
    user.user_permissions.add(Permission.objects.get(codename="view_paradata"))
    assert "After 61 s" in client.get(_page(session)).content.decode()
