"""Passes one speaker's sound to a transcriber and its results to the page.

Messages to the page: ready; heard (text, final); taken (frames passed on so far, by which the page
knows how much more it may send); done. Sound that can't be passed on waits in the page.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import AsyncExitStack, suppress
from typing import Any

from interviews.participant.voice.transcriber import (
    RATE,
    SECOND,
    WIDTH,
    Failed,
    Provider,
    Transcriber,
)

FRAME = 8 * 1024  # bytes at most; the page sends tenths of a second
WAITING = 64  # frames queued; the page has at most 50 unconfirmed
EVERY = 10  # frames between confirmations to the page
AHEAD = 45  # seconds of sound that may arrive faster than spoken, from the page's own queue
OPENING = 30.0  # seconds to open a line
QUIET = 5.0  # seconds without a frame until the provider gets a keep-alive
IDLE = 30.0  # seconds without a frame until the page counts as gone
STALLED = 15.0  # seconds without any result from the provider while sound is sent
SENDING = 8.0  # seconds to send one frame
LAST = 5.0  # seconds to wait for the last results

Tell = Callable[[dict[str, Any]], Awaitable[None]]


class Dictation:
    def __init__(self, tell: Tell) -> None:
        self._tell = tell
        self._frames: asyncio.Queue[bytes | None] = asyncio.Queue(WAITING)
        self._began = time.monotonic()
        self._bytes = 0
        self._waiting_since: float | None = None  # when sound was first sent since the last result

    def take(self, audio: bytes) -> None:
        """Queue a frame. Raises Failed (noisy) if it is malformed or there are too many."""
        self._bytes += len(audio)
        allowed = (time.monotonic() - self._began + AHEAD) * SECOND
        if not audio or len(audio) > FRAME or len(audio) % WIDTH or self._bytes > allowed:
            raise Failed("noisy")
        self._enqueue(audio)

    def stop(self) -> None:
        self._enqueue(None)

    async def run(self, provider: Provider, language: str) -> None:
        """Transcribe until the last result. Raises Failed."""
        async with AsyncExitStack() as stack:
            opening = stack.enter_async_context(provider.open(language, RATE))
            line = await _with_timeout(OPENING, opening, "away")
            await self._tell({"kind": "ready"})
            await self._send_and_receive(line)

    def _enqueue(self, frame: bytes | None) -> None:
        try:
            self._frames.put_nowait(frame)
        except asyncio.QueueFull:
            raise Failed("noisy") from None

    async def _send_and_receive(self, line: Transcriber) -> None:
        sending = asyncio.create_task(self._send(line))
        hearing = asyncio.create_task(self._receive(line))
        try:
            await asyncio.wait({sending, hearing}, return_when=asyncio.FIRST_COMPLETED)
            if hearing.done() and not sending.done():
                hearing.result()
                raise Failed("cut", "nothing more is heard")
            await sending
            with suppress(TimeoutError):
                await asyncio.wait_for(hearing, LAST)
        finally:
            sending.cancel()
            hearing.cancel()

    async def _receive(self, line: Transcriber) -> None:
        async for heard in line.heard():
            self._waiting_since = None
            if heard.text or heard.final:
                await self._tell({"kind": "heard", "text": heard.text, "final": heard.final})

    async def _send(self, line: Transcriber) -> None:
        taken = 0
        while (frame := await self._next_frame(line)) is not None:
            await _with_timeout(SENDING, line.send(frame), "slow")
            self._waiting_since = self._waiting_since or time.monotonic()
            taken += 1
            if taken % EVERY == 0:
                await self._tell({"kind": "taken", "frames": taken})
        await _with_timeout(SENDING, line.finish(), "slow")

    async def _next_frame(self, line: Transcriber) -> bytes | None:
        """Return the next frame; None at the end. Raises Failed: cut, stalled."""
        for _ in range(int(IDLE / QUIET)):
            if self._waiting_since is not None and time.monotonic() - self._waiting_since > STALLED:
                raise Failed("stalled")
            with suppress(TimeoutError):
                return await asyncio.wait_for(self._frames.get(), QUIET)
            await _with_timeout(SENDING, line.keep_alive(), "slow")
        raise Failed("cut", "the page has fallen silent")


async def _with_timeout(seconds: float, work: Coroutine[Any, Any, Any], code: str) -> Any:
    try:
        return await asyncio.wait_for(work, seconds)
    except TimeoutError:
        raise Failed(code, "took too long") from None
