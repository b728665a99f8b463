"""Liveness and readiness of this process."""

import shutil
from collections.abc import Callable
from pathlib import Path

from django.conf import settings
from django.core.cache import cache
from django.db import connection
from django.http import HttpRequest, HttpResponsePermanentRedirect, JsonResponse
from django.middleware.common import CommonMiddleware

from llm.calls import model_state
from llm.concurrency.threads import in_database
from llm.routing import load, slots

WORKER_SEEN = "worker-seen"
WORKER_SEEN_FOR = 60  # seconds
FOR_MONITORS = ("/healthz", "/readyz", "/metrics")
LEAST_FREE = 16 * 2**20  # bytes of the disk with SQLite's files


class HostMiddleware(CommonMiddleware):
    """Let monitors ask each process by an address of its own; all else needs the site's name."""

    def process_request(self, request: HttpRequest) -> HttpResponsePermanentRedirect | None:
        return None if request.path_info in FOR_MONITORS else super().process_request(request)


async def alive(request: HttpRequest) -> JsonResponse:
    """Always 200; says how busy this process is, too, and how requests reach it."""
    addresses = request.META.get("HTTP_X_FORWARDED_FOR", "").split(",")
    return JsonResponse(
        {
            "status": "alive",
            "version": settings.VERSION,
            "late_ms": round(1000 * load.seconds_late()),
            "model_calls": {"waiting": slots.waiting(), "limit": slots.limit()},
            "secure": request.is_secure(),
            "forwarded": sum(1 for address in addresses if address.strip()),
        }
    )


async def ready(request: HttpRequest) -> JsonResponse:
    """200 if database and Redis answer and the disk has room, else 503.

    Also reports whether a worker was seen lately and the model's key is accepted. Neither is a
    reason to turn participants away: interviews work without.
    """
    states = {"database": (await in_database(_ask, _ping_database))[0]}
    if connection.vendor == "sqlite":
        states["disk"] = await in_database(_disk)
    if settings.REDIS_URL:
        states["redis"], seen = await in_database(_ask, lambda: cache.get(WORKER_SEEN))
        states["workers"] = "ok" if seen else "none seen"
    needed = [state for part, state in states.items() if part != "workers"]
    status = 200 if all(state == "ok" for state in needed) else 503
    return JsonResponse({**states, "model": model_state.status()}, status=status)


def _ask(part: Callable[[], object]) -> tuple[str, object]:
    try:
        return "ok", part()
    except Exception as error:  # report whatever the part's client raises
        return type(error).__name__, None


def _ping_database() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")


def _disk() -> str:
    """Return "full" before writing fails: SQLite's journal takes some room too."""
    folder = Path(connection.settings_dict["NAME"]).parent
    return "ok" if shutil.disk_usage(folder).free > LEAST_FREE else "full"
