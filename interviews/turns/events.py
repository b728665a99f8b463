"""Notify pages and streams of a session. The only file that touches the channel layer.

`session.changed` carries the sequence number; receivers then read the snapshot. `session.draft`
carries the whole utterance so far, so a page may miss one or join late without harm.
"""

import asyncio
import logging
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from channels.layers import get_channel_layer

log = logging.getLogger(__name__)
PATIENCE = 1.0  # seconds to wait for a layer that doesn't answer
PAUSES = (1.0, 2.0, 4.0, 8.0)  # seconds until that something has changed is sent again
_later: set[asyncio.Task[None]] = set()


@dataclass(frozen=True, slots=True)
class Draft:
    """The utterance being written, from its beginning."""

    turn: int
    text: str


def warm_up() -> None:
    """Load the channel layer's client, or the first turn would wait for it."""
    get_channel_layer()


def group(session_id: UUID) -> str:
    return f"session.{session_id.hex}"


async def send_changed(session_id: UUID, sequence: int) -> None:
    """Tell pages; in the background again, if the layer didn't take it in time.

    Where many talk at once, that was this process being busy, and the page would wait in vain.
    """
    message = {"type": "session.changed", "sequence": sequence}
    if not await _send(session_id, message):
        again = asyncio.create_task(_send_again(session_id, message))
        _later.add(again)
        again.add_done_callback(_later.discard)


async def _send_again(session_id: UUID, message: dict[str, Any]) -> None:
    for pause in PAUSES:
        await asyncio.sleep(pause)
        if await _send(session_id, message):
            return


async def send_draft(session_id: UUID, draft: Draft) -> None:
    await _send(session_id, {"type": "session.draft", "turn": draft.turn, "text": draft.text})


async def _send(session_id: UUID, message: dict[str, Any]) -> bool:
    try:
        async with asyncio.timeout(PATIENCE):
            await get_channel_layer().group_send(group(session_id), message)
    except Exception as error:  # pages miss news, but the turn must not fail
        log.warning("news of session %s not sent: %r", session_id, error)
        return False
    return True


@asynccontextmanager
async def subscription(session_id: UUID) -> AsyncIterator[AsyncIterator[Draft]]:
    """Iterate over the session's drafts from now on, for streams outside a consumer.

    If the layer is down, nothing arrives.
    """
    layer = get_channel_layer()
    try:
        async with asyncio.timeout(PATIENCE):
            channel = await layer.new_channel()
            await layer.group_add(group(session_id), channel)
    except Exception as error:  # whatever the layer's client raises
        log.warning("news of session %s not followed: %r", session_id, error)
        yield _no_news()
        return
    try:
        yield _news(layer, channel)
    finally:
        with suppress(Exception):  # the layer may be down by now
            async with asyncio.timeout(PATIENCE):
                await layer.group_discard(group(session_id), channel)


async def _no_news() -> AsyncIterator[Draft]:
    await asyncio.Event().wait()
    yield Draft(0, "")


async def _news(layer: Any, channel: str) -> AsyncIterator[Draft]:
    while True:
        message = await layer.receive(channel)
        if message["type"] == "session.draft":
            yield Draft(message["turn"], message["text"])


class DraftStream:
    """Send a growing draft; what is shown while one version is on its way goes with the next."""

    def __init__(self, session_id: UUID, turn: int) -> None:
        self._session_id = session_id
        self._turn = turn
        self._text = ""
        self._sent = ""
        self._sender: asyncio.Task[None] | None = None
        self._began = time.monotonic()
        self.first_ms: int | None = None  # until the first words went out
        self.taken_back = 0  # times that words were shown and then replaced

    def show(self, text: str) -> None:
        self._text = text
        if text != self._sent and (self._sender is None or self._sender.done()):
            self._sender = asyncio.create_task(self._flush())

    async def _flush(self) -> None:
        while self._text != self._sent:
            self.taken_back += not self._text.startswith(self._sent)
            self._sent = self._text
            if self._sent and self.first_ms is None:
                self.first_ms = int((time.monotonic() - self._began) * 1000)
            await send_draft(self._session_id, Draft(self._turn, self._sent))

    def settle(self, said: str) -> None:
        """Count what was shown as taken back if it isn't part of what is said."""
        self.taken_back += " ".join(self._sent.split()) not in " ".join(said.split())

    async def close(self) -> None:
        if self._sender is not None:
            self._sender.cancel()
            await asyncio.gather(self._sender, return_exceptions=True)
