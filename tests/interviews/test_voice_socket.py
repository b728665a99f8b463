"""The websocket of a microphone: whom it listens to, how long, and what it tells."""

import asyncio
import json
import logging

import pytest
from channels.testing import WebsocketCommunicator
from django.core.cache import cache

from interviews.models import Session
from interviews.participant.routing import websockets
from interviews.participant.voice import minutes, providers
from interviews.participant.voice.dictation import Dictation
from interviews.security import access
from interviews.turns import actions
from interviewsite import checks
from llm.concurrency.threads import in_database
from tests.conftest import make_bot
from tests.fake_speech import KEY, FakeSpeech
from tests.interviews.talk import begin

pytestmark = pytest.mark.django_db(transaction=True)
ORIGIN = (b"origin", b"http://testserver")
HOST = (b"host", b"testserver")
TENTH = b"\x01\x00" * 1_600


@pytest.fixture
def speech(settings):
    """The site listens, by a server that hears these words."""
    with FakeSpeech("By the river.", "It was warm.") as fake:
        settings.DICTATION_PROVIDER = "deepgram"
        settings.DEEPGRAM_API_KEY, settings.DEEPGRAM_URL = KEY, fake.url
        providers._make_provider.cache_clear()
        yield fake
    providers._make_provider.cache_clear()


def microphone(talk, cookie=None, headers=(ORIGIN, HOST)):
    value = talk.cookie if cookie is None else cookie
    jar = (b"cookie", f"{access.PARTICIPANT_COOKIE}={value}".encode())
    address = f"/ws/s/{talk.session_id}/voice/"
    return WebsocketCommunicator(websockets, address, headers=[*headers, jar])


async def ready(talk):
    """A microphone that is listened to."""
    page = microphone(talk)
    assert (await page.connect())[0]
    assert await told(page) == {"kind": "ready"}
    return page


async def told(page, timeout=10):
    return json.loads(await page.receive_from(timeout))


async def until_done(page):
    """Everything until the end, without how much was taken."""
    heard = []
    while (news := await told(page))["kind"] != "done":
        if news["kind"] == "heard":
            heard.append((news["text"], news["final"]))
    closed = await page.receive_output(5)
    assert closed["type"] == "websocket.close"
    return heard, news["code"]


async def closed(page):
    while (output := await page.receive_output(10))["type"] != "websocket.close":
        pass
    return output["code"]


async def test_words_come_back_and_nothing_is_kept(bot, speech, caplog):
    caplog.set_level(logging.DEBUG)
    talk = await begin(bot)
    before = await entries(talk)
    page = await ready(talk)
    for _ in range(4):
        await page.send_to(bytes_data=TENTH)
    await page.send_to(text_data="stop")
    heard, code = await until_done(page)
    assert [text for text, final in heard if final and text] == ["By the river.", "It"]
    assert code == ""
    assert speech.lines[0].asked["language"] == "en"
    assert await entries(talk) == before
    assert "river" not in caplog.text
    await page.disconnect()


async def entries(talk):
    return [entry.text for entry in await talk.entries()]


@pytest.mark.parametrize("cookie", ["", "wrong"])
async def test_who_has_no_key_is_not_listened_to(bot, speech, cookie):
    page = microphone(await begin(bot), cookie)
    await page.connect()
    assert await closed(page) == 4404
    assert speech.lines == []


@pytest.mark.parametrize(
    "headers", [(HOST,), ((b"origin", b"http://evil.example"), HOST)], ids=["none", "foreign"]
)
async def test_a_foreign_page_is_refused(bot, speech, headers):
    connected, _ = await microphone(await begin(bot), headers=headers).connect()
    assert not connected


@pytest.mark.parametrize("why", ["no dictation", "off", "browser", "paused", "ended"])
async def test_what_is_not_offered_is_not_done(bot, speech, settings, why):
    talk = await begin(bot)
    if why == "no dictation":
        await type(bot).objects.filter(pk=bot.pk).aupdate(dictation=False)
    elif why in ("off", "browser"):
        settings.DICTATION_PROVIDER = {"off": "off", "browser": ""}[why]
    elif why == "paused":
        await actions.pause(await talk.session())
    else:
        await Session.objects.filter(pk=talk.session_id).aupdate(status="COMPLETED")
    page = microphone(talk)
    await page.connect()
    assert await until_done(page) == ([], "over")
    assert speech.lines == []


@pytest.mark.parametrize("frame", ["hello", "{}", b"\x00", b"\x00" * 50_000])
async def test_what_is_no_sound_ends_it(bot, speech, frame):
    page = await ready(await begin(bot))
    await page.send_to(**{"text_data" if isinstance(frame, str) else "bytes_data": frame})
    assert await closed(page) == 4408


@pytest.mark.parametrize(
    ("fault", "code"),
    [("unauthorized", "away"), ("bad", "language"), ("cut", "cut"), ("error", "away")],
)
async def test_a_provider_that_fails(bot, speech, caplog, fault, code):
    speech.fault = fault
    page = microphone(await begin(bot))
    await page.connect()
    for _ in range(4):
        await page.send_to(bytes_data=TENTH)
    assert (await until_done(page))[1] == code
    assert KEY not in caplog.text


async def test_rubbish_from_the_provider_hurts_nobody(bot, speech):
    speech.fault = "rubbish"
    page = await ready(await begin(bot))
    for _ in range(3):
        await page.send_to(bytes_data=TENTH)
    await page.send_to(text_data="stop")
    heard, code = await until_done(page)
    assert (("By the river.", True) in heard, code) == (True, "")


async def test_a_newer_microphone_ends_the_older(bot, speech):
    talk = await begin(bot)
    first = await ready(talk)
    second = await ready(talk)
    assert (await until_done(first))[1] == "elsewhere"
    await second.send_to(bytes_data=TENTH)
    assert (await told(second))["text"] == "By"
    await second.disconnect()


async def test_another_interview_s_microphone_is_another(bot, speech):
    first = await ready(await begin(bot))
    await ready(await begin(bot))
    await first.send_to(bytes_data=TENTH)
    assert (await told(first))["text"] == "By"


async def test_who_leaves_is_no_more_listened_to(bot, speech):
    page = await ready(await begin(bot))
    await page.send_to(bytes_data=TENTH)
    await told(page)
    await page.disconnect()
    for _ in range(100):
        if not speech.lines[0].open:
            break
        await page.receive_nothing(timeout=0.05)
    assert not speech.lines[0].open


async def test_one_switching_on_has_an_end(bot, speech, monkeypatch):
    left, take, taken = minutes.seconds_left, Dictation.take, asyncio.Event()

    async def seconds_left(session_id):
        await taken.wait()  # or a slow machine would come to the end first
        return await left(session_id)

    def take_and_tell(self, audio):
        take(self, audio)
        taken.set()

    monkeypatch.setattr(minutes, "ONE", 1)
    monkeypatch.setattr(minutes, "seconds_left", seconds_left)
    monkeypatch.setattr(Dictation, "take", take_and_tell)
    page = microphone(await begin(bot))
    await page.connect()
    await page.send_to(bytes_data=TENTH)
    heard, code = await until_done(page)
    assert (heard[-1], code) == (("By", True), "long")


async def test_an_interview_s_minutes_have_an_end(bot, speech, settings):
    settings.DICTATION_MINUTES = 1
    talk = await begin(bot)
    await minutes.add_seconds(talk.session_id, 50)
    assert await minutes.seconds_left(talk.session_id) == 10
    page = await ready(talk)
    await page.send_to(text_data="stop")
    await until_done(page)
    assert await minutes.seconds_left(talk.session_id) == 5  # a few seconds at least
    await minutes.add_seconds(talk.session_id, 5)
    page = microphone(talk)
    await page.connect()
    assert await until_done(page) == ([], "spent")
    assert len(speech.lines) == 1


async def test_the_count_of_minutes_ends_some_day(bot, speech):
    talk = await begin(bot)
    await minutes.add_seconds(talk.session_id, 50)
    await cache.aclear()
    assert await minutes.seconds_left(talk.session_id) == minutes.ONE


# -- what the page offers


async def page_of(talk):
    return await talk.browser().get(f"/s/{talk.session_id}/")


async def test_only_bots_that_have_it_on_show_it(settings):

    for dictation, aloud in [(True, True), (True, False), (False, True), (False, False)]:
        bot = await in_database(make_bot, dictation=dictation, read_aloud=aloud)
        html = (await page_of(await begin(bot))).content.decode()
        assert ('id="dictate"' in html, 'id="aloud"' in html) == (dictation, aloud)
        assert ("voice/start.js" in html) == (dictation or aloud)


@pytest.mark.parametrize(
    ("provider", "words"),
    [
        ("", "It isn’t sent to this site"),
        ("local", "isn’t passed on to anybody else"),
        ("deepgram", "through this site to Deepgram"),
    ],
)
async def test_it_is_said_where_the_sound_goes(bot, settings, provider, words):
    settings.DICTATION_PROVIDER = provider
    assert words in (await page_of(await begin(bot))).content.decode()


async def test_a_service_may_have_another_name(bot, settings):
    settings.DICTATION_PROVIDER = "deepgram"
    settings.DICTATION_SERVICE = "our own machine in Turin"
    assert "to our own machine in Turin" in (await page_of(await begin(bot))).content.decode()


async def test_off_is_off_for_all(bot, settings):
    settings.DICTATION_PROVIDER = "off"
    assert 'id="dictate"' not in (await page_of(await begin(bot))).content.decode()


async def test_the_microphone_is_for_this_site_s_pages_alone(bot):
    response = await page_of(await begin(bot))
    assert response["Permissions-Policy"] == "microphone=(self), camera=(), geolocation=()"
    directives = response["Content-Security-Policy"].split("; ")  # in any order
    assert "script-src 'self'" in directives


@pytest.mark.parametrize(
    ("given", "wrong"),
    [
        ({}, False),
        ({"DICTATION_PROVIDER": "off"}, False),
        ({"DICTATION_PROVIDER": "deepgram", "DEEPGRAM_API_KEY": KEY}, False),
        ({"DICTATION_PROVIDER": "deepgram", "DEEPGRAM_API_KEY": ""}, True),
        ({"DICTATION_PROVIDER": "parrot"}, True),
        ({"DICTATION_PROVIDER": "local"}, True),
    ],
)
def test_a_site_that_could_not_listen_does_not_start(settings, monkeypatch, given, wrong):
    monkeypatch.setattr("interviews.participant.voice.local.is_installed", lambda: False)
    for name, value in given.items():
        setattr(settings, name, value)
    assert bool(checks.dictation_provider()) == wrong


async def test_a_cache_that_is_away_ends_it_kindly(bot, speech, monkeypatch):
    async def away(*args):
        raise ConnectionError

    page = await ready(await begin(bot))
    monkeypatch.setattr(cache, "aadd", away)
    await page.send_to(bytes_data=TENTH)
    await page.send_to(text_data="stop")
    heard, code = await until_done(page)
    assert (heard[-1], code) == (("By", True), "")
