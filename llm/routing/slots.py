"""How many requests a provider gets at once from this process; the others wait in order."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from django.conf import settings

from llm.concurrency.loops import PerLoop

_SLOTS = PerLoop[dict[tuple[str, int], asyncio.Semaphore]](dict)


@asynccontextmanager
async def slot(provider: str, wait: float | None) -> AsyncGenerator[None, None]:
    """Hold one of the provider's slots; TimeoutError if none came free within `wait` seconds."""
    semaphore = _semaphore(provider)
    async with asyncio.timeout(wait):
        await semaphore.acquire()
    try:
        yield
    finally:
        semaphore.release()


def _semaphore(provider: str) -> asyncio.Semaphore:
    limit = int(settings.LLM_CONCURRENCY)
    return _SLOTS.get().setdefault((provider, limit), asyncio.Semaphore(limit))
