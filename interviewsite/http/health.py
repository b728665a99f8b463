"""Liveness and readiness of this process."""

from collections.abc import Callable

from django.conf import settings
from django.core.cache import cache
from django.db import connection
from django.http import HttpRequest, JsonResponse

from llm.concurrency.threads import in_database

WORKER_SEEN = "worker-seen"
WORKER_SEEN_FOR = 60  # seconds


async def alive(request: HttpRequest) -> JsonResponse:
    return JsonResponse({"status": "alive"})


async def ready(request: HttpRequest) -> JsonResponse:
    """200 if database and Redis answer, else 503; also reports whether a worker was seen lately.

    A missing worker is no reason to turn participants away: interviews work without one.
    """
    states = {"database": await in_database(_state, _ping_database)}
    if settings.REDIS_URL:
        states["redis"] = await in_database(_state, lambda: cache.get(WORKER_SEEN))
        states["workers"] = "ok" if await in_database(_state, _find_worker) == "ok" else "none seen"
    needed = [state for part, state in states.items() if part != "workers"]
    status = 200 if all(state == "ok" for state in needed) else 503
    return JsonResponse(states, status=status)


def _state(part: Callable[[], object]) -> str:
    try:
        part()
    except Exception as error:  # report whatever the part's client raises
        return type(error).__name__
    return "ok"


def _ping_database() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")


def _find_worker() -> None:
    if not cache.get(WORKER_SEEN):
        raise LookupError
