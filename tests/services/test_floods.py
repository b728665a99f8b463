"""Floods against a real process: of starts, posts, frames and of readers who never read."""

import asyncio
import base64
import os
import socket
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager, closing, contextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

import aiohttp
import psutil
import pytest

from tests.services import worlds
from tests.services.client import STORY, Client, Talk
from tests.services.pages import Page, heard
from tests.services.processes import eventually
from tests.services.worlds import Embedded

FRAMES = 5_000
MOST_GROWTH = 80_000_000  # bytes; a frame has 50
LONG = "word " * 3_199  # characters: as many as one answer may have
ROWS = "SELECT (SELECT COUNT(*) FROM interviews_turn) + (SELECT COUNT(*) FROM interviews_session)"


@pytest.fixture(scope="module")
def limited(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Embedded]:
    """A site behind one proxy, whose limits are soon reached."""
    limits = {
        "TRUSTED_PROXIES": "1",
        "LIMIT_STARTS": "3/hour",
        "LIMIT_POSTS": "40/minute",
        "LIMIT_ANSWERS": "",
        "SOCKETS_PER_SESSION": "4",
    }
    with worlds.embedded(template, tmp_path_factory.mktemp("limited"), **limits) as world:
        yield world


@pytest.fixture
async def client(limited: Embedded) -> AsyncIterator[Client]:
    """A client without cookies."""
    jar = aiohttp.DummyCookieJar()
    async with aiohttp.ClientSession(cookie_jar=jar) as http:
        yield Client(http, limited.site.url)


def from_there(address: str, spoofed: str = "") -> dict[str, str]:
    """As the proxy passes on who asked; what the client wrote itself comes before."""
    return {"X-Forwarded-For": f"{spoofed}, {address}" if spoofed else address}


def memory(world: Embedded) -> int:
    return int(psutil.Process(world.site.serving).memory_info().rss)


# -- starts and posts


async def test_an_address_begins_so_many_interviews_whatever_it_says_of_itself(
    client: Client, limited: Embedded
):
    found = []
    for number in range(6):
        headers = from_there("203.0.113.1", f"198.51.100.{number}")
        found.append(await client.post("/api/chat/start", {"bot": "talk"}, headers))
    assert [one.status for one in found] == [200] * 3 + [429] * 3
    refused = found[-1]
    assert refused["error"] == "too_many"
    assert 0 < int(refused.headers["Retry-After"]) <= 3_600
    other = await client.post("/api/chat/start", {"bot": "talk"}, from_there("203.0.113.2"))
    assert other.status == 200


async def test_a_flood_of_posts_leaves_no_row_and_others_are_served(
    client: Client, limited: Embedded
):
    talk = await start(client, "203.0.113.3")
    before = limited.database.rows(ROWS)
    headers = talk.headers | from_there("203.0.113.3")
    wrong = {"session_id": talk.session_id, "answer": " ", "message_id": "x"}
    sent = [client.post("/api/chat", wrong, headers) for _ in range(300)]
    statuses = [one.status for one in await asyncio.gather(*sent)]
    assert statuses.count(422) <= 40
    assert statuses.count(422) + statuses.count(429) == 300
    assert limited.database.rows(ROWS) == before
    other = await start(client, "203.0.113.4")
    headers = other.headers | from_there("203.0.113.4")
    assert (await client.post("/api/chat", other.body(STORY), headers)).status == 200


async def start(client: Client, address: str, bot: str = "talk") -> Talk:
    """A new interview from there."""
    body = {"participant_name": "Ann", "bot": bot}
    url, headers = f"{client.url}/api/chat/start", from_there(address)
    async with client.http.post(url, json=body, headers=headers) as response:
        assert response.status == 200
        said = await response.json()
        cookie = response.cookies["interviewsite"].value
    return Talk(client, said["session_id"], said["token"], cookie, None)


# -- frames


async def test_five_thousand_frames_leave_no_row_and_little_memory(
    client: Client, limited: Embedded
):
    talk = await start(client, "203.0.113.5")
    rows, before, sent = limited.database.rows(ROWS), await settled_memory(limited), 0
    highest = before
    while sent < FRAMES:
        async with closed_after(await opened(talk)) as page:
            with suppress(ConnectionError):
                for _ in range(500):
                    await page.send_str("x" * 10_000)
                    sent += 1
            highest = max(highest, memory(limited))
            while (await page.receive(10)).type is aiohttp.WSMsgType.TEXT:
                pass
            assert page.close_code in (4408, 1006, None)
    assert highest - before < MOST_GROWTH
    assert limited.database.rows(ROWS) == rows
    page = Page(talk)
    async with closed_after(await opened(talk)) as again:
        await heard(again, page)
    assert page.phase == "yours"


async def settled_memory(world: Embedded) -> int:
    """Bytes once the site has loaded what it loads when it starts: lists, a detector, an SDK."""
    sizes = [0, memory(world)]
    while abs(sizes[-1] - sizes[-2]) > sizes[-1] / 50 or len(sizes) < 5:
        await asyncio.sleep(2)
        sizes.append(memory(world))
    return sizes[-1]


async def opened(talk: Talk) -> aiohttp.ClientWebSocketResponse:
    """A socket, once those that were closed are gone on the other side too."""
    found: list[aiohttp.ClientWebSocketResponse] = []

    async def opens() -> bool:
        with suppress(aiohttp.WSServerHandshakeError):
            found.append(await Page(talk).socket())
        return bool(found)

    await eventually(opens)
    return found[0]


@asynccontextmanager
async def closed_after(
    line: aiohttp.ClientWebSocketResponse,
) -> AsyncIterator[aiohttp.ClientWebSocketResponse]:
    """Closed in the end."""
    try:
        yield line
    finally:
        await line.close()


async def test_a_frame_that_is_too_large_ends_the_connection(client: Client, limited: Embedded):
    talk = await start(client, "203.0.113.6")
    before = await settled_memory(limited)
    async with Page(talk).socket() as page:
        with suppress(ConnectionError):
            await page.send_str("x" * 50_000_000)
        with suppress(ConnectionError):
            while (await page.receive(10)).type is aiohttp.WSMsgType.TEXT:
                pass
    assert memory(limited) - before < MOST_GROWTH


# -- sockets


async def test_an_interview_has_so_many_sockets(client: Client):
    talk = await start(client, "203.0.113.7")
    pages = [await Page(talk).socket() for _ in range(4)]
    with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
        await Page(talk).socket()
    assert refused.value.status == 403
    page = Page(talk)
    assert (await page.open()).status == 200  # it goes on by asking
    assert await page.look() == 204
    for one in pages:
        await one.close()
    await (await opened(talk)).close()


def deaf(talk: Talk) -> socket.socket:
    """A connection that is opened and never read from."""
    where = urlsplit(talk.client.url)
    line = socket.socket()
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
    line.connect((where.hostname, where.port))
    key = base64.b64encode(os.urandom(16)).decode()
    lines = [
        f"GET /ws/s/{talk.session_id}/ HTTP/1.1",
        f"Host: {where.netloc}",
        f"Origin: {talk.client.url}",
        f"Cookie: interviewsite={talk.cookie}",
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Version: 13",
        f"Sec-WebSocket-Key: {key}",
    ]
    line.sendall("\r\n".join([*lines, "", ""]).encode())
    return line


def connections(world: Embedded, port: int) -> int:
    """Those of the site to that port of ours that are open."""
    found = psutil.Process(world.site.serving).net_connections("tcp")
    return sum(bool(one.raddr) and one.raddr.port == port for one in found)


async def test_who_never_reads_is_dropped_and_costs_nobody_else_a_word(
    embedded_client: Client, offline: Embedded
):
    talk = await embedded_client.start("life-story")
    page = Page(talk)
    await page.open()
    await talk.say()  # the first one imports what it needs
    before = await settled_memory(offline)
    with closing(deaf(talk)) as line:
        port = line.getsockname()[1]

        async def is_open() -> bool:
            return connections(offline, port) == 1

        await eventually(is_open)
        said = 0
        while connections(offline, port):
            reply = await talk.say(f"{said} {LONG}"[:16_000])
            assert reply.status == 200
            said += 1
            assert said < 150
    assert memory(offline) - before < MOST_GROWTH
    while await page.look() == 200:
        pass
    assert page.length == (await talk.state())["position"]
    assert len(set(page.taken)) == page.length


# -- requests that never come


START = b"POST /api/chat/start HTTP/1.1\r\nHost: localhost\r\n"
HALVES = (b"", b"GET / HTT", START, START + b"Content-Length: 500\r\n\r\n{")
FOREIGN = "127.0.0.2"  # an attacker's


@pytest.fixture(scope="module")
def narrow(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Embedded]:
    """A site without a proxy that may have 1,024 files open and no more."""
    data = tmp_path_factory.mktemp("narrow")
    few = ["sh", "-c", 'ulimit -n 1024 && exec "$@"', ""]
    with worlds.embedded(template, data, before=few) as world:
        yield world


@contextmanager
def half_open(world: Embedded, count: int, address: str) -> Iterator[list[socket.socket]]:
    """So many connections from there on which no request is ever whole."""
    with ExitStack() as stack:
        lines = []
        for number in range(count):
            line = stack.enter_context(socket.socket())
            line.bind((address, 0))
            line.connect(("127.0.0.1", world.site.port))
            line.sendall(HALVES[number % len(HALVES)])
            lines.append(line)
        yield lines


def foreign_connections(world: Embedded) -> int:
    found = psutil.Process(world.site.serving).net_connections("tcp")
    return sum(bool(one.raddr) and one.raddr.ip == FOREIGN for one in found)


def all_are_open(world: Embedded) -> bool:
    return foreign_connections(world) == 100


async def test_half_open_requests_of_one_address_are_few_and_cost_nobody_a_request(
    narrow: Embedded, http: aiohttp.ClientSession
):
    began = time.monotonic()
    with half_open(narrow, 1_500, FOREIGN):
        assert time.monotonic() - began < 15  # with a short queue many lose a second
        talk = await Client(http, narrow.site.url).start("life-story")
        for _ in range(5):
            began = time.monotonic()
            assert (await talk.say()).status == 200
            assert time.monotonic() - began < 10
        assert 200 < foreign_connections(narrow) <= 256  # a quarter of the descriptors
    with half_open(narrow, 600, "127.0.0.1"):  # from the same address too
        async with aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as other:
            talk = await Client(other, narrow.site.url).start()
            assert (await talk.say()).status == 200


async def test_half_open_requests_end_although_bytes_trickle_in(narrow: Embedded):
    with half_open(narrow, 100, FOREIGN) as lines:
        began = time.monotonic()
        await eventually(lambda: asyncio.to_thread(all_are_open, narrow))
        headers = [line for number, line in enumerate(lines) if number % len(HALVES) != 3]
        while foreign_connections(narrow) > 25:  # a body may take its time
            for line in headers:
                with suppress(OSError):
                    line.send(b"x")
            await asyncio.sleep(1)
            assert time.monotonic() - began < 40


# -- other sites


async def test_an_origin_matters_to_sockets_and_not_to_programs(embedded_client: Client):
    foreign = {"Origin": "https://evil.example"}
    talk = await embedded_client.start()
    reply = await embedded_client.post("/api/chat", talk.body(STORY), talk.headers | foreign)
    assert reply.status == 200
    cookie = {"Cookie": f"interviewsite={talk.cookie}"}
    assert (await embedded_client.get(f"/s/{talk.session_id}/", cookie | foreign)).status == 200
    for origin in ("https://evil.example", ""):
        with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
            await Page(talk).socket(Origin=origin)
        assert refused.value.status == 403
