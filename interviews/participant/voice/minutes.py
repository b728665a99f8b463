"""Limits how long the site transcribes one interview, over all its dictations."""

from uuid import UUID

from django.conf import settings
from django.core.cache import cache

ONE = 600  # seconds at most for one dictation
LEAST = 5  # seconds that each dictation counts for at least
KEPT = 7 * 24 * 3600  # seconds that the count is kept


async def seconds_left(session_id: UUID) -> int:
    used = int(await cache.aget(_key(session_id), 0))
    allowed: int = settings.DICTATION_MINUTES * 60
    return max(0, min(ONE, allowed - used))


async def add_seconds(session_id: UUID, seconds: float) -> None:
    await cache.aadd(_key(session_id), 0, KEPT)
    await cache.aincr(_key(session_id), max(LEAST, int(seconds)))


def _key(session_id: UUID) -> str:
    return f"dictated:{session_id}"
