"""A participant of the JSON API who measures how long each reply takes to begin."""

import json
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass

import aiohttp


@dataclass(frozen=True)
class Heard:
    """One reply: seconds to its first word and to its end, and what it was."""

    first: float
    whole: float
    kind: str
    status: str


class Participant:
    """One interview over HTTP, heard as a stream."""

    def __init__(self, http: aiohttp.ClientSession, url: str) -> None:
        self._http, self._url = http, url
        self._headers: dict[str, str] = {}
        self._id = ""

    async def start(self, bot: str) -> None:
        """Begins."""
        data = {"participant_name": "Ann", "bot": bot}
        async with self._http.post(f"{self._url}/api/chat/start", json=data) as response:
            response.raise_for_status()
            begun = await response.json()
        self._id = begun["session_id"]
        self._headers = {"Authorization": f"Bearer {begun['token']}", "Accept": "text/event-stream"}

    async def say(self, text: str) -> Heard:
        """Answers, and hears the reply out."""
        began = time.perf_counter()
        first = 0.0
        data = {"session_id": self._id, "answer": text}
        async with self._http.post(
            f"{self._url}/api/chat", json=data, headers=self._headers
        ) as response:
            response.raise_for_status()
            async for name, found in _events(response):
                first = first or time.perf_counter() - began
                if name == "done":
                    whole = time.perf_counter() - began
                    return Heard(first, whole, str(found["kind"]), str(found["status"]))
        raise RuntimeError("the reply did not end")


async def _events(response: aiohttp.ClientResponse) -> AsyncIterator[tuple[str, dict[str, object]]]:
    name = ""
    async for line in response.content:
        text = line.decode().rstrip("\n")
        if text.startswith("event: "):
            name = text.removeprefix("event: ")
        elif text.startswith("data: "):
            yield name, json.loads(text.removeprefix("data: "))
