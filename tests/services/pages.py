"""A participant's page without a browser: its forms, its socket, what it has taken in."""

import re
from dataclasses import dataclass, field
from typing import Any

import aiohttp

from tests.services.client import LONG, Answered, Talk

ENTRY = re.compile(r'<article\s[^>]*data-position="(\d+)"[^>]*>.*?</article>', re.S)
STATE = re.compile(r'id="state"\s+data-phase="(\w+)"\s+data-sequence="(\d+)"\s+data-length="(\d+)"')
CODE = re.compile(r'data-code="(\w+)"')


@dataclass
class Page:
    """One open page of a session."""

    talk: Talk
    csrf: str = ""
    sequence: int = -1
    length: int = 0
    phase: str = ""
    taken: list[int] = field(default_factory=list)  # positions, in the order they came
    script: bool = True  # whether its browser runs one

    @property
    def path(self) -> str:
        """The chat's address."""
        return f"/s/{self.talk.session_id}/"

    @property
    def cookie(self) -> str:
        """The participant's, as it is sent."""
        return f"{self.talk.client.cookie('interviewsite')}={self.talk.cookie}"

    def headers(self) -> dict[str, str]:
        """The browser's."""
        cookies = f"{self.cookie}; {self.talk.client.cookie('csrftoken')}={self.csrf}"
        origin = self.talk.client.url
        sent = {"Cookie": cookies, "X-CSRFToken": self.csrf, "Origin": origin}
        return sent | {"HX-Request": "true"} if self.script else sent

    async def open(self) -> Answered:
        """Loads the page."""
        url = self.talk.client.url + self.path
        async with self.talk.client.http.get(
            url, headers={"Cookie": self.cookie}, timeout=LONG
        ) as response:
            if token := response.cookies.get(self.talk.client.cookie("csrftoken")):
                self.csrf = token.value
            found = Answered(response.status, await response.text(), response.headers)
        if found.status == 200:
            self.take(found.body)
        return found

    async def send(self, what: str = "answer", **fields: Any) -> Answered:
        """Sends one of its forms."""
        url = f"{self.talk.client.url}{self.path}{what}/"
        data = {"after": str(self.length), **fields}
        async with self.talk.client.http.post(
            url, data=data, headers=self.headers(), timeout=LONG
        ) as response:
            return Answered(response.status, await response.text(), response.headers)

    async def look(self) -> int:
        """Asks whether there is news; the status."""
        query = f"?sequence={self.sequence}&after={self.length}"
        found = await self.talk.client.get(f"{self.path}state/{query}", self.headers())
        if found.status == 200:
            self.take(found.body)
        return found.status

    def take(self, html: str) -> None:
        """Takes in a page or a fragment."""
        self.taken += [int(position) for position in ENTRY.findall(html)]
        if found := STATE.search(html):
            self.phase = found[1]
            self.sequence, self.length = int(found[2]), int(found[3])

    def socket(self, **headers: str) -> Any:
        """Its websocket, as a context manager."""
        url = self.talk.client.url
        address = f"{url}/ws/s/{self.talk.session_id}/?after={self.length}"
        sent = {"Origin": url, "Cookie": self.cookie} | headers
        return self.talk.client.http.ws_connect(
            address, headers={name: value for name, value in sent.items() if value}
        )


async def heard(socket: aiohttp.ClientWebSocketResponse, page: Page, seconds: float = 0.5) -> None:
    """Takes in what comes until nothing comes for so long."""
    while True:
        try:
            message = await socket.receive(seconds)
        except TimeoutError:
            return
        if message.type is not aiohttp.WSMsgType.TEXT:
            return
        page.take(message.data)


def refusal(answered: Answered) -> str:
    """The code by which a page is told why something was refused."""
    found = CODE.search(answered.body)
    return found[1] if found else ""
