"""The background work of a process that serves pages: warming up and, without Redis, sweeping.

With Redis, Celery beat and a worker sweep instead (interviewsite/processes/tasks.py). Where none
does, one of the processes that serve takes over turns whose process has died.
"""

import asyncio
import contextvars
import faulthandler
import fcntl
import gc
import logging
from collections.abc import Callable, Coroutine
from typing import IO, Any

from django.conf import settings
from django.core.cache import cache
from django.db import DatabaseError, InterfaceError, connection

from interviews.engine.language import lists, writing_systems
from interviews.engine.reading import read_by_rules
from interviews.tasks import SWEEPS as OF_INTERVIEWS
from interviews.turns import actions, events
from llm.calls import model_state
from llm.concurrency.threads import in_database
from llm.providers import PROVIDERS
from llm.providers.sdk import SDKProvider
from llm.routing import load
from llm.routing.routes import model_providers
from plans import jobs
from plans.models.site import load_identity
from plans.tasks import SWEEPS as OF_PLANS
from reflections.tasks import SWEEPS as OF_REFLECTIONS

log = logging.getLogger(__name__)
IDENTITY_EVERY = 10.0  # seconds
# what takes up jobs of each kind; True for those that others have claimed, too
SWEEPS: list[Callable[[bool], int]] = [*OF_INTERVIEWS, *OF_PLANS, *OF_REFLECTIONS]
FROZEN = 10.0  # seconds by which the event loop may be late; then the process ends
PATIENCE = 20.0  # seconds in which PostgreSQL answers a query, or counts as away
SWEPT = "swept"  # in the cache while the latest sweep is recent
_locks: list[IO[str]] = []
_tasks: set[asyncio.Task[None]] = set()


def lock_data_dir() -> None:
    """Lock DATA_DIR, unless Redis allows several processes. Raises SystemExit."""
    if settings.REDIS_URL or _locks:
        return
    path = settings.DATA_DIR / "serving.lock"
    path.touch(mode=0o600)
    lock = path.open("w")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise SystemExit(
            f"Another process already serves from {settings.DATA_DIR}. Several processes can't "
            "share the in-memory channel layer: set REDIS_URL, or another DATA_DIR."
        ) from None
    _locks.append(lock)


def start() -> None:
    if _tasks:
        return
    _create_task(end_when_frozen())
    if connection.vendor == "postgresql":
        from interviewsite.postgresql.base import Connection  # PostgreSQL's library is large

        Connection.patience = PATIENCE
    jobs.run_in_threads()
    _create_task(asyncio.to_thread(_warm_up))
    _create_task(model_state.watch())
    _create_task(load.watch())
    _create_task(_follow_identity())
    actions.erase_copies()  # of what was withdrawn before the last process ended
    _create_task(_sweep_unless_others_do() if settings.REDIS_URL else _sweep_for_ever())


async def end_when_frozen() -> None:
    """End this process if its event loop stands still, and log where: a supervisor starts another.

    A thread of C does it, which needs no interpreter: a pattern that doesn't end lets nobody else
    have that.
    """
    try:
        while True:
            faulthandler.dump_traceback_later(FROZEN, exit=True, file=2)
            await asyncio.sleep(1)
    finally:
        faulthandler.cancel_dump_traceback_later()


def _warm_up() -> None:
    """Load what the first turn would wait for: the channel layer's client, word lists, SDKs.

    All of it stays. Looking through it for garbage would stop the process again and again.
    """
    gc.disable()
    events.warm_up()
    lists.load()
    writing_systems.load()
    read_by_rules("-", "en", "")  # builds what it looks for: a fifth of a second
    for name in model_providers():
        if isinstance(provider := PROVIDERS[name], SDKProvider):
            provider.load()
    gc.freeze()
    gc.enable()


async def _follow_identity() -> None:
    """Read the site's identity again and again: another process may have changed it."""
    while True:
        try:
            await in_database(load_identity)
        except (DatabaseError, InterfaceError) as error:
            log.warning("The site's identity can't be read: %s", error)
        await asyncio.sleep(IDENTITY_EVERY)


def _create_task(work: Coroutine[Any, Any, None]) -> None:
    loop = asyncio.get_running_loop()
    _tasks.add(loop.create_task(work, context=contextvars.Context()))


async def _sweep_for_ever() -> None:
    """The first sweep takes everything: in one process nobody else can be at work."""
    first = True
    while True:
        try:
            await actions.sweep(at_once=first)
            for sweep in SWEEPS:
                await in_database(_sweep_one_kind, sweep, first)
            first = False
        except Exception:  # a database that is down comes back
            log.exception("sweeping failed; it is tried again")
        await asyncio.sleep(settings.SWEEP_EVERY)


def sweep_jobs() -> None:
    for sweep in SWEEPS:
        _sweep_one_kind(sweep, False)


def _sweep_one_kind(sweep: Callable[[bool], int], at_once: bool) -> None:
    """Sweep jobs of one kind. What is wrong with them doesn't keep the others waiting."""
    try:
        sweep(at_once)
    except Exception:
        if not connection.is_usable():
            raise  # the database is away, for all of them
        log.exception("sweeping jobs of one kind failed; it is tried again")


def mark_swept() -> None:
    cache.set(SWEPT, True, 2 * settings.SWEEP_EVERY)


async def _sweep_unless_others_do() -> None:
    """Sweep turns whenever nobody has lately; of all processes, the one that marks it first."""
    while True:
        await asyncio.sleep(settings.SWEEP_EVERY)
        try:
            if await in_database(_is_due):
                await actions.sweep()
        except Exception:  # a database that is down comes back
            log.exception("sweeping failed; it is tried again")


def _is_due() -> bool:
    try:
        return bool(cache.add(SWEPT, True, 2 * settings.SWEEP_EVERY))
    except Exception:  # whatever the cache's client raises: without Redis no worker sweeps either
        return True


class WithBackground:
    def __init__(self, application: Any) -> None:
        self._application = application

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        start()
        await self._application(scope, receive, send)
