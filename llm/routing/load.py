"""How busy this process is: how late its event loop runs, and how many calls wait for a model."""

import asyncio

from django.conf import settings

from llm.routing import slots

EVERY = 0.25  # seconds between two looks
FADES = 0.8  # share of an earlier lateness that still counts at the next look
_late = 0.0  # seconds


async def watch() -> None:
    """Measure for ever how late the loop is; runs in the background of a process."""
    loop = asyncio.get_running_loop()
    while True:
        due = loop.time() + EVERY
        await asyncio.sleep(EVERY)
        note(loop.time() - due)


def note(late: float) -> None:
    global _late
    _late = max(late, FADES * _late)


def seconds_late() -> float:
    return _late


def is_full() -> bool:
    """Return whether one more interview would slow down those that run."""
    return _late > settings.MOST_LATE or slots.waiting() >= slots.limit()
