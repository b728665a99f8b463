"""What the embedded default does beside serving: it sweeps, in the process that serves.

With Redis the same is done by Celery beat and a worker (interviewsite/processes/tasks.py).
"""

import asyncio
import contextvars
import fcntl
import logging
from collections.abc import Coroutine
from typing import IO, Any

from django.conf import settings

from interviews.engine.language import distress, lists
from interviews.recruitment.invitations import reminders
from interviews.recruitment.mail import jobs as mail
from interviews.turns import actions
from llm.concurrency.threads import in_database
from llm.providers import warm_up
from llm.routing.routes import provider_name
from plans import jobs
from plans.protocols import job_types
from reflections import jobs as work
from reflections.calibration import calibrations

log = logging.getLogger(__name__)
_held: list[IO[str]] = []
_loops: set[asyncio.Task[None]] = set()


class NotAlone(SystemExit):
    """Another process serves from the same data directory without Redis."""


def hold_alone() -> None:
    """Makes sure that no other process serves from DATA_DIR. Raises NotAlone."""
    if settings.REDIS_URL or _held:
        return
    lock = (settings.DATA_DIR / "serving.lock").open("w")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise NotAlone(
            f"Another process already serves from {settings.DATA_DIR}. Several processes can't "
            "share the in-memory channel layer: set REDIS_URL, or another DATA_DIR."
        ) from None
    _held.append(lock)


def start() -> None:
    """Once, on the running loop: loads the model's SDK, and without Redis begins to sweep."""
    if _loops:
        return
    hold_alone()
    jobs.run_in_threads()
    _begin(asyncio.to_thread(_warm_up))
    if not settings.REDIS_URL:
        _begin(_sweep_for_ever())


def _warm_up() -> None:
    """Reads what the first turn would otherwise wait for: the model's SDK and the word lists."""
    warm_up(provider_name())
    lists.load()
    distress.load()


def _begin(work: Coroutine[Any, Any, None]) -> None:
    loop = asyncio.get_running_loop()
    _loops.add(loop.create_task(work, context=contextvars.Context()))


async def _sweep_for_ever() -> None:
    """The first time takes up everything: in one process nobody else can be at work."""
    first = True
    while True:
        try:
            await actions.sweep(at_once=first)
            await in_database(reminders.sweep)
            await in_database(mail.sweep, first)
            await in_database(work.sweep, first)
            for job_type in job_types().values():
                await in_database(job_type.sweep, first)
            await in_database(calibrations.sweep, first)
        except Exception:  # a database that is away comes back
            log.exception("sweeping failed; it is tried again")
        first = False
        await asyncio.sleep(settings.SWEEP_EVERY)


class WithBackground:
    """An ASGI application that begins to sweep with its first scope."""

    def __init__(self, application: Any) -> None:
        self._application = application

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        start()
        await self._application(scope, receive, send)
