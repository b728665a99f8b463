"""Who may see an interview: secrets, origins, links that expire; and what is left in logs."""

import re
import uuid
from datetime import UTC, datetime, timedelta

import aiohttp
import pytest

from tests.services.client import STORY, Client, Talk
from tests.services.pages import Page, heard
from tests.services.worlds import Embedded

EXPIRE = (
    "UPDATE interviews_accesskey SET expires_at = '2020-01-01 00:00:00' "
    "WHERE participant_id = (SELECT participant_id FROM interviews_session WHERE id = ?)"
)
PARTS = ("", "/resume", "/transcript", "/reflections")
KEY = re.compile(r"#key=([\w-]+)")


def expire(world: Embedded, talk: Talk) -> None:
    """All that opens this talk has expired a while ago."""
    assert world.database.change(EXPIRE, world.database.session_key(talk.session_id))


# -- guessed


@pytest.mark.parametrize("part", PARTS)
async def test_wrong_foreign_expired_and_unknown_look_alike_over_the_api(
    embedded_client: Client, offline: Embedded, part: str
):
    mine, other, old = [await embedded_client.start() for _ in range(3)]
    expire(offline, old)
    tries = [
        (mine.path, {}),
        (mine.path, {"Authorization": "Bearer wrong"}),
        (mine.path, other.headers),
        (mine.path, {"Cookie": f"interviewsite={other.cookie}"}),
        (old.path, old.headers),
        (f"/api/chat/session/{uuid.uuid4()}", mine.headers),
    ]
    found = [await embedded_client.get(path + part, headers) for path, headers in tries]
    assert {one.status for one in found} == {404}
    assert len({str(one.body) for one in found}) == 1
    assert len({_comparable(one.headers) for one in found}) == 1


async def test_wrong_foreign_expired_and_unknown_look_alike_as_pages(
    embedded_client: Client, offline: Embedded
):
    mine, other, old = [await embedded_client.start() for _ in range(3)]
    expire(offline, old)
    tries = [
        (mine.session_id, ""),
        (mine.session_id, "wrong"),
        (mine.session_id, other.cookie),
        (mine.session_id, other.token),
        (old.session_id, old.cookie),
        (str(uuid.uuid4()), mine.cookie),
    ]
    found = []
    for session_id, cookie in tries:
        headers = {"Cookie": f"interviewsite={cookie}"}
        found.append(await embedded_client.get(f"/s/{session_id}/", headers))
    assert {one.status for one in found} == {404}
    assert len({one.body for one in found}) == 1
    assert len({_comparable(one.headers) for one in found}) == 1


def _comparable(headers: "aiohttp.typedefs.LooseHeaders") -> str:
    """Headers but for those that chance gives: a compressed page has padding of any length."""
    by_chance = ("Date", "Set-Cookie", "Content-Length")
    return str(sorted((k, v) for k, v in headers.items() if k not in by_chance))


# -- expired in between


async def test_what_expires_between_two_answers_opens_nothing_any_more(
    embedded_client: Client, offline: Embedded
):
    talk = await embedded_client.start()
    page = Page(talk)
    await page.open()
    assert (await talk.say()).status == 200
    async with page.socket() as socket:
        await heard(socket, page, 0.3)
        expire(offline, talk)
        assert (await talk.say()).status == 404
        assert (await page.send(text=STORY, message_id="late")).status == 404
        assert (await page.open()).status == 404
    async with page.socket() as socket:
        assert (await socket.receive(5)).type is aiohttp.WSMsgType.CLOSE
        assert socket.close_code == 4404
    counted = "SELECT COUNT(*) FROM interviews_transcriptentry WHERE session_id = ? AND role = ?"
    key = offline.database.session_key(talk.session_id)
    assert offline.database.rows(counted, key, "participant") == [(1,)]


async def test_an_open_socket_whose_cookie_has_expired_hears_nothing_more(
    embedded_client: Client, offline: Embedded
):
    talk = await embedded_client.start()
    page = Page(talk)
    async with page.socket() as socket:
        await heard(socket, page, 0.3)
        key = offline.database.session_key(talk.session_id)
        offline.database.change(f"{EXPIRE} AND session_id IS NULL", key)
        assert (await talk.say()).status == 200
        await heard(socket, page, 10)
        assert socket.close_code == 4404
    assert page.length == 2


# -- other sites


@pytest.mark.parametrize(
    "origin", ["", "null", "https://evil.example", "http://127.0.0.1.evil.example", "file://"]
)
async def test_a_foreign_or_missing_origin_opens_no_socket(embedded_client: Client, origin: str):
    talk = await embedded_client.start()
    with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
        await Page(talk).socket(Origin=origin)
    assert refused.value.status == 403


# -- what is left behind


async def test_no_secret_is_left_in_the_log(modelled_client: Client, modelled: Embedded):
    talk = await modelled_client.start()
    page = Page(talk)
    await page.open()
    await talk.stream()
    await talk.resume()
    made = await page.send("link")
    key = KEY.findall(made.body)[0]
    entered = await page.send("enter", key=key)
    assert entered.status == 204
    async with page.socket() as socket:
        await heard(socket, page, 0.3)
    log = modelled.site.log()
    for secret in (talk.token, talk.cookie, key, page.csrf):
        assert secret
        assert secret not in log


async def test_pages_and_replies_of_a_session_are_kept_nowhere_and_refer_to_nothing(
    embedded_client: Client,
):
    talk = await embedded_client.start()
    cookie = {"Cookie": f"interviewsite={talk.cookie}"}
    answers = [talk.first]
    for path in ("", "transcript/", "transcript.txt", "state/"):
        answers.append(await embedded_client.get(f"/s/{talk.session_id}/{path}", cookie))
    for part in PARTS:
        answers.append(await embedded_client.get(talk.path + part, talk.headers))
    for answered in answers:
        assert answered.status == 200
        assert "no-store" in answered.headers.get("Cache-Control", ""), answered
        assert answered.headers["Referrer-Policy"] == "no-referrer"


# -- clocks


@pytest.mark.parametrize("days", [-1, 1])
async def test_only_the_server_s_clock_counts(embedded_client: Client, days: int):
    began = datetime.now(UTC)
    talk = await embedded_client.start()
    there = began + timedelta(days=days)
    body = talk.body(STORY) | dict.fromkeys(("at", "received_at", "time"), there.isoformat())
    odd = {"Date": there.strftime("%a, %d %b %Y %H:%M:%S GMT"), "X-Time": there.isoformat()}
    reply = await embedded_client.post("/api/chat", body, talk.headers | odd)
    assert reply.status == 200
    times = [datetime.fromisoformat(entry["at"]) for entry in await talk.entries()]
    assert times == sorted(times)
    assert began <= times[0] <= times[-1] <= datetime.now(UTC)
