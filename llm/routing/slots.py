"""Limits how many requests this process sends to a provider at once; others wait in order."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from django.conf import settings

from llm.concurrency.loops import PerLoop

_SLOTS = PerLoop[dict[tuple[str, int], asyncio.Semaphore]](dict)


@asynccontextmanager
async def slot(provider: str, wait: float | None) -> AsyncGenerator[None, None]:
    """Hold one of the provider's slots. Raises TimeoutError after `wait` seconds."""
    limit = int(settings.LLM_CONCURRENCY)
    semaphore = _SLOTS.get().setdefault((provider, limit), asyncio.Semaphore(limit))
    async with asyncio.timeout(wait):
        await semaphore.acquire()
    try:
        yield
    finally:
        semaphore.release()
