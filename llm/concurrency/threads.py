"""One bounded pool of threads for the database work of turns.

With a thread per task there would be a database connection per task; here all tasks share a few
threads, each of which keeps its connection.
"""

import asyncio
import select
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import ParamSpec, TypeVar

from django.conf import settings
from django.db import OperationalError, connection

QUEUED = 20.0  # seconds until work that has not begun is given up
P = ParamSpec("P")
T = TypeVar("T")


@cache
def _executor() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(settings.DB_THREADS, thread_name_prefix="database")


def _run(fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
    if _may_be_cut() and not connection.is_usable():
        connection.close()
    try:
        return fn(*args, **kwargs)
    finally:
        connection.close_at = None  # kept, whatever CONN_MAX_AGE says of requests
        connection.close_if_unusable_or_obsolete()  # after an error


def _may_be_cut() -> bool:
    """Return whether something arrived on an idle connection to a server: most likely its end."""
    if not hasattr(connection.connection, "fileno"):  # not connected, or SQLite
        return False
    socket = select.poll()
    socket.register(connection.connection.fileno(), select.POLLIN)
    return bool(socket.poll(0))


async def in_database(fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
    """Run `fn` in one of the database threads and return what it returns or raises.

    It doesn't see the caller's context variables, and it finishes even if the caller is cancelled.
    Raises OperationalError if all threads are busy for so long that the database must hang.
    """
    future = _executor().submit(_run, fn, *args, **kwargs)
    wrapped = asyncio.wrap_future(future)
    try:
        async with asyncio.timeout(QUEUED):
            return await asyncio.shield(wrapped)
    except TimeoutError:
        if future.cancel():  # it has not begun
            raise OperationalError("no thread for the database is free") from None
    return await asyncio.shield(wrapped)
