"""Limits how many requests this process sends to a provider at once; others wait in order."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from django.conf import settings

from llm.concurrency.loops import PerLoop

_SLOTS = PerLoop[dict[tuple[str, int], asyncio.Semaphore]](dict)
_waiting = 0


@asynccontextmanager
async def slot(provider: str, wait: float | None) -> AsyncGenerator[None, None]:
    """Hold one of the provider's slots. Raises TimeoutError after `wait` seconds."""
    global _waiting
    semaphore = _SLOTS.get().setdefault((provider, limit()), asyncio.Semaphore(limit()))
    _waiting += 1
    try:
        async with asyncio.timeout(wait):
            await semaphore.acquire()
    finally:
        _waiting -= 1
    try:
        yield
    finally:
        semaphore.release()


def limit() -> int:
    return int(settings.LLM_CONCURRENCY)


def waiting() -> int:
    """Return how many requests of this process wait for a slot."""
    return _waiting
