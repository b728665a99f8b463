"""How often something may be done, counted in one place that all processes share.

Every limit is a setting in words, such as "600/hour" (several: "30/minute; 500/hour"; empty: no
limit). Windows are fixed: when one is over, everybody gets in again. Counters live in Redis where
the site has one, else in this process. While Redis is away nothing is refused: interviews go on,
which matters more.
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
from redis import ConnectionPool, RedisError
from redis.backoff import NoBackoff
from redis.retry import Retry

from interviews.security.ratelimits.counters import CounterStore
from interviews.validation import RequestRefused

ANSWERS = "LIMIT_ANSWERS"  # of one interview
STARTS = "LIMIT_STARTS"  # from one address
LINK_STARTS = "LIMIT_LINK_STARTS"  # of one bot
POSTS = "LIMIT_POSTS"  # from one address, whatever is sent
WRONG_KEYS = "LIMIT_WRONG_KEYS"  # from one address, secrets that opened nothing
SOCKETS = "LIMIT_SOCKETS"  # from one address, connections begun
LOGINS = "LIMIT_LOGINS"  # from one address, passwords that were wrong
EVERY = (ANSWERS, STARTS, LINK_STARTS, POSTS, WRONG_KEYS, SOCKETS, LOGINS)

PATIENCE = 0.5  # seconds that Redis gets to answer
RESTS = 5.0  # seconds in which it isn't asked after it did not
CONNECTIONS = 50
log = logging.getLogger(__name__)
_rests_until = 0.0


def take(name: str, key: object) -> int:
    """Counts one for that key. 0 where it may be done, else the seconds to wait."""
    return _asked(lambda limiter: _taken(limiter, _items(name), str(key)))


def wait(name: str, key: object) -> int:
    """The same without counting."""
    return _asked(lambda limiter: _wait(limiter, _items(name), str(key)))


async def taken(name: str, key: object) -> int:
    """`take` for the event loop."""
    return await _aside(take, name, key)


async def waits(name: str, key: object) -> int:
    """`wait` for the event loop."""
    return await _aside(wait, name, key)


async def admit(name: str, key: object) -> None:
    """Counts one for that key. Raises RequestRefused: too_many."""
    if seconds := await taken(name, key):
        raise too_many(seconds)


def too_many(seconds: int) -> RequestRefused:
    """What is said to somebody who has to wait so long."""
    message = _("That was a lot in a short time. Please wait a moment, then send it again.")
    return RequestRefused("too_many", message, retry_after=seconds)


def forget() -> None:
    """All counters of this process."""
    global _rests_until
    _rests_until = 0.0
    _limiter.cache_clear()


async def _aside(ask: Callable[[str, object], int], name: str, key: object) -> int:
    """In a thread where Redis has to be asked; what is in memory is there at once."""
    if not getattr(settings, name):
        return 0
    return await asyncio.to_thread(ask, name, key) if settings.REDIS_URL else ask(name, key)


def _taken(limiter: FixedWindowRateLimiter, items: list[RateLimitItem], key: str) -> int:
    """The shortest window first: what it refuses isn't counted in the longer ones."""
    free = all(limiter.hit(item, key) for item in items)
    return 0 if free else _longest(limiter, items, key)


def _wait(limiter: FixedWindowRateLimiter, items: list[RateLimitItem], key: str) -> int:
    free = all(limiter.test(item, key) for item in items)
    return 0 if free else _longest(limiter, items, key)


def _longest(limiter: FixedWindowRateLimiter, items: list[RateLimitItem], key: str) -> int:
    """Seconds until the last of the full windows is over; 1 at least."""
    stats = [limiter.get_window_stats(item, key) for item in items]
    ends = [found.reset_time for found in stats if found.remaining < 1]
    return max(1, math.ceil(max(ends, default=0.0) - time.time()))


def _items(name: str) -> list[RateLimitItem]:
    return parsed(name, str(getattr(settings, name)))


@cache
def parsed(name: str, words: str) -> list[RateLimitItem]:
    """The windows that a setting asks for, the shortest first. Raises ValueError."""
    found = parse_many(words) if words else []
    named = [type(item)(item.amount, item.multiples, name) for item in found]
    return sorted(named, key=lambda item: item.get_expiry())


def _asked(ask: Callable[[FixedWindowRateLimiter], int]) -> int:
    """What the counters say; 0 while they are away."""
    global _rests_until
    if time.monotonic() < _rests_until:
        return 0
    try:
        said = ask(_limiter(settings.REDIS_URL))
    except (RedisError, OSError) as error:
        if not _rests_until:
            log.warning("limits are not kept until Redis is back: %s", error)
        _rests_until = time.monotonic() + RESTS
        return 0
    if _rests_until:
        log.warning("limits are kept again")
        _rests_until = 0.0
    return said


@cache
def _limiter(redis_url: str) -> FixedWindowRateLimiter:
    return FixedWindowRateLimiter(_redis(redis_url) if redis_url else CounterStore())


def _redis(url: str) -> Storage:
    """Counters in Redis, which is asked once and for a short time."""
    pool = ConnectionPool.from_url(
        url,
        max_connections=CONNECTIONS,
        socket_timeout=PATIENCE,
        socket_connect_timeout=PATIENCE,
        retry=Retry(NoBackoff(), 0),
    )
    prefix = f"{settings.CACHES['default']['KEY_PREFIX']}:limits"
    return RedisStorage(url, connection_pool=pool, key_prefix=prefix)
