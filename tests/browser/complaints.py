"""What a browser complains about: errors, refused content, requests to other hosts."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import BrowserContext, ConsoleMessage, Request

OWN = ("http://127.0.0.1", "ws://127.0.0.1", "data:")
OUTAGE = re.compile(
    r"net::ERR_|WebSocket connection to|\[object Event\]|htmx:(sendError|afterRequest|timeout)"
)
REFUSAL = re.compile(r"\b(403|409|413)\b")
CLOSED_DOOR = re.compile(r"\b404\b")


class Complaints(list[str]):
    """All that was heard; what a test itself brought about is left out."""

    def listen(self, context: BrowserContext) -> None:
        """To every page of that browser."""
        context.on("console", self._heard)
        context.on("weberror", lambda error: self.append(str(error.error)))
        context.on("request", self._asked)

    def _heard(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.append(f"{message.type}: {message.text}")

    def _asked(self, request: Request) -> None:
        if not request.url.startswith(OWN):
            self.append(f"another host: {request.url}")

    @contextmanager
    def expected(self, like: re.Pattern[str]) -> Iterator[None]:
        """Those that look so are no complaints while the block runs."""
        before = len(self)
        yield
        self[before:] = [said for said in self[before:] if not like.search(said)]
