"""Is it alive, and can it work?"""

from collections.abc import Callable

from django.conf import settings
from django.core.cache import cache
from django.db import connection
from django.http import HttpRequest, JsonResponse

from llm.concurrency.threads import in_database

WORKER_SEEN = "worker-seen"
WORKER_SEEN_FOR = 60  # seconds


async def alive(request: HttpRequest) -> JsonResponse:
    """200 while the process answers."""
    return JsonResponse({"status": "alive"})


async def ready(request: HttpRequest) -> JsonResponse:
    """200 when database and Redis answer, else 503; says too whether a worker was seen lately.

    A missing worker is no reason to turn participants away: the chat does without.
    """
    parts = {"database": await in_database(_answers, _database)}
    if settings.REDIS_URL:
        parts["redis"] = await in_database(_answers, _redis)
        parts["workers"] = "ok" if await in_database(_answers, _workers) == "ok" else "none seen"
    needed = [state for part, state in parts.items() if part != "workers"]
    status = 200 if all(state == "ok" for state in needed) else 503
    return JsonResponse(parts, status=status)


def _answers(part: Callable[[], None]) -> str:
    try:
        part()
    except Exception as error:  # whatever the part's client raises is what we want to tell
        return type(error).__name__
    return "ok"


def _database() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")


def _redis() -> None:
    cache.get(WORKER_SEEN)


def _workers() -> None:
    if not cache.get(WORKER_SEEN):
        raise LookupError
