"""A client of the JSON API, the pages and the websocket, that knows nothing of the site's code."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import aiohttp

STORY = (
    "We lived over a bakery in Riga, the five of us in two rooms, and my grandmother told stories "
    "every evening while the ovens below warmed the floor under our feet, winter after winter."
)
LONG = aiohttp.ClientTimeout(total=90)
ENDED = ("COMPLETED", "STOPPED")


@dataclass(frozen=True)
class Answered:
    """What came back: status, headers and the JSON."""

    status: int
    body: Any
    headers: Any = None

    def __getitem__(self, name: str) -> Any:
        return self.body[name]


@dataclass(frozen=True)
class Event:
    """One server-sent event."""

    name: str
    data: dict[str, Any]


@dataclass
class Talk:
    """One interview at one address; `client` may be exchanged for another in the middle of it."""

    client: "Client"
    session_id: str
    token: str
    cookie: str
    first: Answered
    count: int = 0
    given: dict[str, str] = field(default_factory=dict)  # message id -> text

    @property
    def path(self) -> str:
        """Where the session stands in the API."""
        return f"/api/chat/session/{self.session_id}"

    @property
    def headers(self) -> dict[str, str]:
        """What opens it."""
        return {"Authorization": f"Bearer {self.token}"}

    def body(self, text: str, message_id: str = "") -> dict[str, str]:
        """The answer as it is posted."""
        self.count += 1
        key = message_id or f"m{self.count}"
        self.given[key] = text
        return {"session_id": self.session_id, "answer": text, "message_id": key}

    async def say(self, text: str = STORY, message_id: str = "") -> Answered:
        """An answer, and the reply."""
        return await self.client.post("/api/chat", self.body(text, message_id), self.headers)

    async def stream(self, text: str = STORY, message_id: str = "", most: int = 0) -> list[Event]:
        """The same by server-sent events; `most` cuts the line after so many of them."""
        heard: list[Event] = []
        async with self.streaming(text, message_id) as events:
            async for event in events:
                heard.append(event)
                if len(heard) == most:
                    break
        return heard

    @asynccontextmanager
    async def streaming(
        self, text: str = STORY, message_id: str = ""
    ) -> AsyncIterator[AsyncIterator[Event]]:
        """The events as they come."""
        headers = self.headers | {"Accept": "text/event-stream"}
        body = self.body(text, message_id)
        url = f"{self.client.url}/api/chat"
        async with self.client.http.post(url, json=body, headers=headers, timeout=LONG) as response:
            assert response.status == 200, await response.text()
            yield _events(response)

    async def press(self, button: str) -> Answered:
        """skip, pause or end."""
        return await self.client.post(f"{self.path}/{button}", None, self.headers)

    async def state(self) -> Answered:
        """How it stands."""
        return await self.client.get(self.path, self.headers)

    async def resume(self) -> Answered:
        """How it stands, with all that was said."""
        return await self.client.get(f"{self.path}/resume", self.headers)

    async def entries(self) -> list[dict[str, Any]]:
        """All that was said."""
        return list((await self.client.get(f"{self.path}/transcript", self.headers))["entries"])

    async def answers(self) -> list[str]:
        """The participant's words."""
        return [e["text"] for e in await self.entries() if e["role"] == "participant"]

    async def to_the_end(self, text: str = STORY, most: int = 60) -> str:
        """Answers until it ends; the status it ends in."""
        status = (await self.state())["status"]
        for _ in range(most):
            if status in ENDED:
                return status
            reply = await self.say(text)
            assert reply.status == 200, reply
            status = reply["status"]
        raise AssertionError(f"still {status} after {most} answers")


@dataclass
class Client:
    """Requests to one address."""

    http: aiohttp.ClientSession
    url: str

    def cookie(self, name: str) -> str:
        """The name of a cookie at this address."""
        return f"__Host-{name}" if self.url.startswith("https:") else name

    async def start(self, bot: str = "talk", name: str = "Ann", **more: Any) -> Talk:
        """A new interview."""
        body = {"participant_name": name, "bot": bot, **more}
        async with self.http.post(
            f"{self.url}/api/chat/start", json=body, timeout=LONG
        ) as response:
            first = Answered(response.status, await response.json(), response.headers)
            cookie = response.cookies.get(self.cookie("interviewsite"))
        assert first.status == 200, first
        return Talk(
            self, first["session_id"], first["token"], cookie.value if cookie else "", first
        )

    async def post(self, path: str, body: Any = None, headers: Any = None) -> Answered:
        """POST of JSON."""
        async with self.http.post(
            self.url + path, json=body, headers=headers, timeout=LONG
        ) as response:
            return Answered(response.status, await _content(response), response.headers)

    async def get(self, path: str, headers: Any = None) -> Answered:
        """GET."""
        async with self.http.get(self.url + path, headers=headers, timeout=LONG) as response:
            return Answered(response.status, await _content(response), response.headers)


async def _content(response: aiohttp.ClientResponse) -> Any:
    if response.content_type == "application/json":
        return await response.json()
    return await response.text()


async def _events(response: aiohttp.ClientResponse) -> AsyncIterator[Event]:
    name, data = "", ""
    async for raw in response.content:
        line = raw.decode().rstrip("\n")
        if line.startswith("event: "):
            name = line[7:]
        elif line.startswith("data: "):
            data = line[6:]
        elif name:
            yield Event(name, json.loads(data))
            name = ""


def told(events: list[Event]) -> str:
    """The text that a client has on its screen after these events."""
    text = ""
    for event in events:
        if event.name == "delta":
            text += event.data["text"]
        elif event.name == "replace":
            text = event.data["text"]
    return text


def connections() -> aiohttp.ClientSession:
    """As many connections as are wanted, without cookies."""
    return aiohttp.ClientSession(
        connector=aiohttp.TCPConnector(limit=0), cookie_jar=aiohttp.DummyCookieJar()
    )


def whole(entries: list[dict[str, Any]]) -> None:
    """Asserts that nothing is lost or doubled: gapless, and one reply after each answer."""
    assert [e["position"] for e in entries] == list(range(1, len(entries) + 1))
    roles = [e["role"] for e in entries]
    for one, after in zip(roles, [*roles[1:], ""], strict=True):
        assert one != "participant" or after == "interviewer", roles


def replies_to(entries: list[dict[str, Any]], text: str) -> list[str]:
    """What the interviewer said after that answer, up to the next one."""
    places = [i for i, e in enumerate(entries) if e["text"] == text]
    assert len(places) == 1, f"{len(places)} times: {text[:60]}"
    said = []
    for entry in entries[places[0] + 1 :]:
        if entry["role"] == "participant":
            break
        said.append(entry["text"])
    return said
