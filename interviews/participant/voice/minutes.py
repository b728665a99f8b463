"""How long an interview may be listened to, however often the microphone is switched on."""

from uuid import UUID

from django.conf import settings
from django.core.cache import cache

ONE = 600  # seconds that one switching on may last
LEAST = 5  # seconds that each counts for
KEPT = 7 * 24 * 3600  # seconds that the count is remembered


async def left(session_id: UUID) -> int:
    """Seconds that may be listened to now; none are left at 0."""
    used = int(await cache.aget(_key(session_id), 0))
    allowed: int = settings.DICTATION_MINUTES * 60
    return max(0, min(ONE, allowed - used))


async def spent(session_id: UUID, seconds: float) -> None:
    await cache.aadd(_key(session_id), 0, KEPT)
    await cache.aincr(_key(session_id), max(LEAST, int(seconds)))


def _key(session_id: UUID) -> str:
    return f"dictated:{session_id}"
