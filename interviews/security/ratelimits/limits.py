"""Rate limits, counted in one place that all processes share.

Each limit is a setting such as "600/hour" (several: "30/minute; 500/hour"; empty: no limit).
Windows are fixed. Counters live in Redis if the site has one, else in this process. Without an
answer from Redis nothing is refused, since interviews matter more.
"""

import asyncio
import logging
import math
import time
from collections.abc import Callable
from functools import cache

from django.conf import settings
from django.utils.translation import gettext as _
from limits import RateLimitItem, parse_many
from limits.storage import RedisStorage, Storage
from limits.strategies import FixedWindowRateLimiter

from interviews.security.ratelimits.counters import CounterStore
from interviews.validation import RequestRefused

ANSWERS = "LIMIT_ANSWERS"  # per interview
STARTS = "LIMIT_STARTS"  # per address
LINK_STARTS = "LIMIT_LINK_STARTS"  # per bot
POSTS = "LIMIT_POSTS"  # per address, whatever is sent
WRONG_KEYS = "LIMIT_WRONG_KEYS"  # per address, secrets that opened nothing
SOCKETS = "LIMIT_SOCKETS"  # per address, connections begun
LOGINS = "LIMIT_LOGINS"  # per address, wrong passwords
PASSWORDS = "LIMIT_PASSWORDS"  # per account
EXPORTS = "LIMIT_EXPORTS"  # per export token
EVERY = (ANSWERS, STARTS, LINK_STARTS, POSTS, WRONG_KEYS, SOCKETS, LOGINS, PASSWORDS, EXPORTS)

PATIENCE = 0.5  # seconds that Redis has to answer
RESTS = 5.0  # seconds without asking Redis after a failure
CONNECTIONS = 50
Windows = list[RateLimitItem]
log = logging.getLogger(__name__)
_resting_until = 0.0


def take(name: str, key: object) -> int:
    """Count one for the key; return 0 if allowed, else the seconds to wait."""
    # the shortest window comes first: what it refuses isn't counted in the longer ones
    return _ask(name, str(key), FixedWindowRateLimiter.hit)


def wait(name: str, key: object) -> int:
    """Return the seconds to wait, without counting; 0 if allowed."""
    return _ask(name, str(key), FixedWindowRateLimiter.test)


def forget(name: str, key: object) -> None:
    """Begin to count anew for the key."""
    _ask(name, str(key), _clear)


def _clear(limiter: FixedWindowRateLimiter, window: RateLimitItem, key: str) -> bool:
    limiter.clear(window, key)
    return True


async def atake(name: str, key: object) -> int:
    if not getattr(settings, name):
        return 0
    # counters in memory answer at once
    return await asyncio.to_thread(take, name, key) if settings.REDIS_URL else take(name, key)


async def admit(name: str, key: object) -> None:
    if seconds := await atake(name, key):
        raise too_many(seconds)


def too_many(seconds: int) -> RequestRefused:
    message = _("You’ve sent a lot in a short time. Please wait a moment, then try again.")
    return RequestRefused("too_many", message, retry_after=seconds)


def _seconds_left(limiter: FixedWindowRateLimiter, items: list[RateLimitItem], key: str) -> int:
    stats = [limiter.get_window_stats(item, key) for item in items]
    ends = [found.reset_time for found in stats if found.remaining < 1]
    return max(1, math.ceil(max(ends, default=0.0) - time.time()))


@cache
def parsed(name: str, words: str) -> list[RateLimitItem]:
    found = parse_many(words) if words else []
    named = [type(item)(item.amount, item.multiples, name) for item in found]
    return sorted(named, key=lambda item: item.get_expiry())


def _ask(name: str, key: str, allows: Callable[..., bool]) -> int:
    windows = parsed(name, str(getattr(settings, name)))
    if not settings.REDIS_URL:
        return _count(_limiter(""), allows, windows, key)
    return _ask_redis(allows, windows, key)


def _count(
    limiter: FixedWindowRateLimiter, allows: Callable[..., bool], windows: Windows, key: str
) -> int:
    allowed = all(allows(limiter, window, key) for window in windows)
    return 0 if allowed else _seconds_left(limiter, windows, key)


def _ask_redis(allows: Callable[..., bool], windows: Windows, key: str) -> int:
    from redis import RedisError  # a start without Redis needn't wait for it

    global _resting_until
    if time.monotonic() < _resting_until:
        return 0
    try:
        seconds = _count(_limiter(settings.REDIS_URL), allows, windows, key)
    except (RedisError, OSError) as error:
        if not _resting_until:
            log.warning("limits are not kept until Redis is back: %s", error)
        _resting_until = time.monotonic() + RESTS
        return 0
    if _resting_until:
        log.warning("limits are kept again")
        _resting_until = 0.0
    return seconds


@cache
def _limiter(redis_url: str) -> FixedWindowRateLimiter:
    return FixedWindowRateLimiter(_redis_storage(redis_url) if redis_url else CounterStore())


def _redis_storage(url: str) -> Storage:
    from redis import ConnectionPool
    from redis.backoff import NoBackoff
    from redis.retry import Retry

    pool = ConnectionPool.from_url(
        url,
        max_connections=CONNECTIONS,
        socket_timeout=PATIENCE,
        socket_connect_timeout=PATIENCE,
        retry=Retry(NoBackoff(), 0),
    )
    prefix = f"{settings.CACHES['default']['KEY_PREFIX']}:limits"
    return RedisStorage(url, connection_pool=pool, key_prefix=prefix)
