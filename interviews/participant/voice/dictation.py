"""Carries one speaker's sound to a transcriber and tells what it hears.

What the page is told: ready; heard (text, final); taken (frames handed on so far, by which the page
knows how much more it may send); done. Sound that can't be handed on waits in the page, not here.
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
WAITING = 64  # frames; the page has at most 50 on the way
EVERY = 10  # frames, then the page is told that they were taken
AHEAD = 45  # seconds of sound that may come faster than it was spoken: what had waited in the page
OPENING = 30.0  # seconds until a line is open
QUIET = 5.0  # seconds without a frame, then the provider is told that more will come
IDLE = 30.0  # seconds without a frame, then the page is gone
STALLED = 15.0  # seconds of sound without any sign of life
SENDING = 8.0  # seconds for one frame to be taken
LAST = 5.0  # seconds for the last words

Tell = Callable[[dict[str, Any]], Awaitable[None]]


class Listening:
    """One microphone, from its first frame to its last words."""

    def __init__(self, tell: Tell) -> None:
        self._tell = tell
        self._frames: asyncio.Queue[bytes | None] = asyncio.Queue(WAITING)
        self._began = time.monotonic()
        self._bytes = 0
        self._unheard: float | None = None  # when the first sound since the last sign was sent

    def take(self, audio: bytes) -> None:
        """A frame. Raises Failed: noisy, when it is none or when there are too many."""
        self._bytes += len(audio)
        allowed = (time.monotonic() - self._began + AHEAD) * SECOND
        if not audio or len(audio) > FRAME or len(audio) % WIDTH or self._bytes > allowed:
            raise Failed("noisy")
        self._put(audio)

    def stop(self) -> None:
        """No more will come. Raises Failed: noisy."""
        self._put(None)

    async def run(self, provider: Provider, language: str) -> None:
        """Until the last words. Raises Failed."""
        async with AsyncExitStack() as stack:
            opening = stack.enter_async_context(provider.open(language, RATE))
            line = await _within(OPENING, opening, "away")
            await self._tell({"kind": "ready"})
            await self._both(line)

    def _put(self, frame: bytes | None) -> None:
        try:
            self._frames.put_nowait(frame)
        except asyncio.QueueFull:
            raise Failed("noisy") from None

    async def _both(self, line: Transcriber) -> None:
        """Sends and hears side by side; whichever fails ends both."""
        sending = asyncio.create_task(self._send(line))
        hearing = asyncio.create_task(self._hear(line))
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

    async def _hear(self, line: Transcriber) -> None:
        async for heard in line.heard():
            self._unheard = None
            if heard.text or heard.final:
                await self._tell({"kind": "heard", "text": heard.text, "final": heard.final})

    async def _send(self, line: Transcriber) -> None:
        taken = 0
        while (frame := await self._next(line)) is not None:
            await _within(SENDING, line.send(frame), "slow")
            self._unheard = self._unheard or time.monotonic()
            taken += 1
            if taken % EVERY == 0:
                await self._tell({"kind": "taken", "frames": taken})
        await _within(SENDING, line.finish(), "slow")

    async def _next(self, line: Transcriber) -> bytes | None:
        """The next frame, None when there are no more. Raises Failed: cut, stalled."""
        for _ in range(int(IDLE / QUIET)):
            if self._unheard is not None and time.monotonic() - self._unheard > STALLED:
                raise Failed("stalled")
            with suppress(TimeoutError):
                return await asyncio.wait_for(self._frames.get(), QUIET)
            await _within(SENDING, line.keep_alive(), "slow")
        raise Failed("cut", "the page has fallen silent")


async def _within(seconds: float, work: Coroutine[Any, Any, Any], code: str) -> Any:
    try:
        return await asyncio.wait_for(work, seconds)
    except TimeoutError:
        raise Failed(code, "took too long") from None
