"""The websocket of a page: whom it follows, what it brings, what it ignores."""

import asyncio

import pytest
from channels.layers import get_channel_layer
from channels.testing import WebsocketCommunicator
from django.utils import timezone

from interviews.models import AccessKey
from interviews.participant.consumers import FRAMES
from interviews.participant.routing import websockets
from interviews.security import access
from interviews.turns import events
from tests.interviews.talk import begin

pytestmark = pytest.mark.django_db(transaction=True)
ANSWER = "We lived over a bakery in a small town by the sea, and it was always warm."
ORIGIN = (b"origin", b"http://testserver")
HOST = (b"host", b"testserver")


def socket(talk, cookie: str | None = None, after: int = 0, headers=(ORIGIN, HOST)):
    """A page's websocket."""
    value = talk.cookie if cookie is None else cookie
    jar = (b"cookie", f"{access.PARTICIPANT_COOKIE}={value}".encode())
    return WebsocketCommunicator(
        websockets, f"/ws/s/{talk.session_id}/?after={after}", headers=[*headers, jar]
    )


async def heard(page, timeout: float = 5) -> list[str]:
    """Everything that comes until it is quiet."""
    found = [await page.receive_from(timeout)]
    while not await page.receive_nothing(timeout=0.3):
        found.append(await page.receive_from(timeout))
    return found


async def test_the_present_state_comes_first(bot):
    talk = await begin(bot)
    page = socket(talk)
    assert (await page.connect())[0]
    state = await page.receive_from(5)
    assert 'id="entry-1"' in state
    assert 'id="entry-2"' in state
    assert 'data-phase="yours"' in state
    await page.disconnect()


async def test_a_page_gets_only_what_it_lacks(bot):
    talk = await begin(bot)
    page = socket(talk, after=1)
    await page.connect()
    state = await page.receive_from(5)
    assert 'id="entry-1"' not in state
    assert 'id="entry-2"' in state
    await page.disconnect()


async def test_a_turn_reaches_every_page_once(bot):
    talk = await begin(bot)
    pages = [socket(talk), socket(talk)]
    for page in pages:
        await page.connect()
        await page.receive_from(5)
    await talk.say(ANSWER)
    for page in pages:
        text = "".join(await heard(page))
        assert text.count('id="entry-3"') == text.count('id="entry-4"') == 1
        assert 'data-phase="yours"' in text
        await page.disconnect()


async def test_drafts_are_passed_on_as_text(bot):
    talk = await begin(bot)
    page = socket(talk)
    await page.connect()
    await page.receive_from(5)
    await events.send_draft(talk.session_id, events.Draft(7, "<b>wörds</b>"))
    assert ">&lt;b&gt;wörds&lt;/b&gt;</div>" in await page.receive_from(5)
    await page.disconnect()


async def test_hints_that_were_overtaken_cost_nothing(bot):
    talk = await begin(bot)
    page = socket(talk)
    await page.connect()
    await page.receive_from(5)
    for sequence in range(3):  # older than what was sent
        await events.send_changed(talk.session_id, sequence and 1)
    assert await page.receive_nothing(timeout=0.5)
    await page.disconnect()


async def test_a_stalled_page_converges(bot):
    """More events than the layer holds for one page: some are dropped, the next brings all."""
    talk = await begin(bot)
    page = socket(talk)
    await page.connect()
    await page.receive_from(5)
    group, layer = events.group(talk.session_id), get_channel_layer()
    piece = {"type": "session.draft", "turn": 1, "text": "x"}
    await asyncio.gather(*(layer.group_send(group, piece) for _ in range(150)))
    await talk.say(ANSWER)
    await talk.say(ANSWER)
    text = "".join(await heard(page))
    assert text.count('id="entry-6"') == 1
    await page.disconnect()


async def test_news_that_the_layer_took_too_late_are_sent_again(bot, monkeypatch):
    talk = await begin(bot)
    page = socket(talk)
    await page.connect()
    await page.receive_from(5)
    layer = get_channel_layer()
    send, tries = layer.group_send, []

    async def slow_at_first(group, message):
        if message["type"] == "session.changed" and len(tries) < 3:
            tries.append(message)
            await asyncio.sleep(1)
        await send(group, message)

    monkeypatch.setattr(layer, "group_send", slow_at_first)
    monkeypatch.setattr(events, "PATIENCE", 0.05)
    monkeypatch.setattr(events, "PAUSES", (0.05, 0.05))
    await talk.say(ANSWER)
    assert 'data-phase="yours"' in "".join(await heard(page))
    await page.disconnect()


@pytest.mark.parametrize("cookie", ["", "wrong", "x" * 5000])
async def test_who_has_no_key_is_closed_so_that_the_page_knows(bot, cookie):
    talk = await begin(bot)
    page = socket(talk, cookie=cookie)
    await page.connect()
    closed = await page.receive_output(5)
    assert (closed["type"], closed["code"]) == ("websocket.close", 4404)
    await events.send_draft(talk.session_id, events.Draft(1, "Where was the bakery?"))
    assert await page.receive_nothing(timeout=0.3)


async def test_a_key_that_expires_ends_the_following(bot):
    talk = await begin(bot)
    page = socket(talk)
    await page.connect()
    await page.receive_from(5)
    await AccessKey.objects.all().aupdate(expires_at=timezone.now())
    await events.send_changed(talk.session_id, 99)
    closed = await page.receive_output(5)
    assert (closed["type"], closed["code"]) == ("websocket.close", 4404)


@pytest.mark.parametrize(
    "headers",
    [
        (HOST,),
        ((b"origin", b"http://evil.example"), HOST),
        ((b"origin", b"null"), HOST),
        # its own page, whose name has come to stand for this server
        ((b"origin", b"http://evil.example"), (b"host", b"evil.example")),
    ],
    ids=["none", "foreign", "null", "rebound"],
)
async def test_a_foreign_or_missing_origin_is_refused(bot, headers):
    talk = await begin(bot)
    connected, _code = await socket(talk, headers=headers).connect()
    assert not connected


async def test_what_a_page_sends_is_not_read(bot):
    talk = await begin(bot)
    page = socket(talk)
    await page.connect()
    await page.receive_from(5)
    for frame in ("{", "[]", "null", "\x00", "a" * 100_000):
        await page.send_to(text_data=frame)
    await page.send_to(bytes_data=b"\xff\xfe")
    assert await page.receive_nothing(timeout=0.3)
    await talk.say(ANSWER)
    assert 'id="entry-3"' in "".join(await heard(page))
    await page.disconnect()


async def test_a_flood_of_frames_ends_the_connection(bot):
    talk = await begin(bot)
    page = socket(talk)
    await page.connect()
    await page.receive_from(5)
    for _ in range(FRAMES):
        await page.send_to(text_data="x")
    closed = await page.receive_output(5)
    assert (closed["type"], closed["code"]) == ("websocket.close", 4408)


@pytest.mark.parametrize("after", ["-1", "x", "1e9", "99999999999999", ""])
async def test_an_odd_position_counts_as_none(bot, after):
    talk = await begin(bot)
    page = socket(talk, after=after)
    await page.connect()
    assert 'id="entry-1"' in await page.receive_from(5)
    await page.disconnect()
