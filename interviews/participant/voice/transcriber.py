"""The interface of what turns speech into text.

A provider opens a line for one language; sound goes in, results come out. The only exception is
Failed, whose code is sent to the page.
"""

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Protocol

RATE = 16_000  # samples a second, of one channel
WIDTH = 2  # bytes of a sample: signed, little-endian
SECOND = RATE * WIDTH  # bytes


@dataclass(frozen=True, slots=True)
class SpeechResult:
    """Recognised text; an empty one is a sign of life. The next replaces a provisional one."""

    text: str
    final: bool = False


class Failed(Exception):
    """The dictation can't go on.

    Codes: away (unreachable, or refuses the site), language (not supported), busy (too many at
    once), cut (ended in the middle), stalled (no more results), slow (accepts no more sound), noisy
    (the page sends what it should not).
    """

    def __init__(self, code: str, why: str = "") -> None:
        super().__init__(f"{code}: {why}" if why else code)
        self.code = code


class Transcriber(Protocol):
    """One open line for one speaker."""

    async def send(self, audio: bytes) -> None:
        """Send sound, waiting if the provider can't keep up. Raises Failed."""

    async def keep_alive(self) -> None:
        """Announce that more sound will come. Raises Failed."""

    async def finish(self) -> None:
        """End the sound: pending results become final, then `heard` ends."""

    def heard(self) -> AsyncIterator[SpeechResult]:
        """Yield results. Raises Failed."""


class Provider(Protocol):
    def open(self, language: str, rate: int) -> AbstractAsyncContextManager[Transcriber]:
        """Open a line for that language and sample rate. Raises Failed."""
