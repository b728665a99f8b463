"""One bounded pool of threads for the database work of turns.

With a thread per task there would be a database connection per task; here all tasks share a few
threads, and each call returns its connection before the next one runs.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import ParamSpec, TypeVar

from django.conf import settings
from django.db import close_old_connections

P = ParamSpec("P")
T = TypeVar("T")


@cache
def _executor() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(settings.DB_THREADS, thread_name_prefix="database")


def _run(fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
    close_old_connections()
    try:
        return fn(*args, **kwargs)
    finally:
        close_old_connections()


async def in_database(fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
    """Run `fn` in one of the database threads and return what it returns or raises.

    It doesn't see the caller's context variables, and it finishes even if the caller is cancelled.
    """
    future = _executor().submit(_run, fn, *args, **kwargs)
    return await asyncio.shield(asyncio.wrap_future(future))
