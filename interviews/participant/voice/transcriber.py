"""What turns speech into text, whoever does it.

A provider opens a line for one language; sound goes in, words come out. The one exception is
Failed, whose code is what the page is told.
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
    """Words. Provisional ones are replaced by whatever comes next; none are a sign of life."""

    text: str
    final: bool = False


class Failed(Exception):
    """No more will be heard.

    Codes: away (can't be reached, or refuses the site), language (not this one), busy (too many at
    once), cut (ended in the middle), stalled (says nothing any more), slow (takes no more sound),
    noisy (the page sends what it should not).
    """

    def __init__(self, code: str, why: str = "") -> None:
        super().__init__(f"{code}: {why}" if why else code)
        self.code = code


class Transcriber(Protocol):
    """One line, open for one speaker."""

    async def send(self, audio: bytes) -> None:
        """Takes sound, and time where it can't keep up. Raises Failed."""

    async def keep_alive(self) -> None:
        """Says that more sound will come. Raises Failed."""

    async def finish(self) -> None:
        """No more sound: what was heard until now is made final, then `heard` ends."""

    def heard(self) -> AsyncIterator[SpeechResult]:
        """Words as they are recognised. Raises Failed."""


class Provider(Protocol):
    """Opens lines."""

    def open(self, language: str, rate: int) -> AbstractAsyncContextManager[Transcriber]:
        """A line for speech of that language, sampled at that rate. Raises Failed."""
