"""The database threads: few, shared, and apart from the caller."""

import asyncio
import contextvars
import threading
from concurrent.futures import ThreadPoolExecutor
from functools import cache

import pytest
from django.conf import settings
from django.db import OperationalError, connection, connections

from llm.concurrency import threads
from llm.concurrency.threads import in_database
from llm.models import LLMPrice
from tests import database

MARK: contextvars.ContextVar[str] = contextvars.ContextVar("MARK", default="none")


async def test_results_and_errors_come_back() -> None:
    assert await in_database(divmod, 7, 3) == (2, 1)
    with pytest.raises(ZeroDivisionError):
        await in_database(divmod, 1, 0)


async def test_the_callers_context_is_not_seen() -> None:
    MARK.set("caller")
    assert await in_database(MARK.get) == "none"


async def test_who_finds_no_free_thread_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads, "QUEUED", 0.1)
    hangs, begun = threading.Event(), []

    def hang() -> None:
        begun.append(None)
        hangs.wait()

    hanging = [asyncio.create_task(in_database(hang)) for _ in range(settings.DB_THREADS)]
    while len(begun) < settings.DB_THREADS:  # noqa: ASYNC110
        await asyncio.sleep(0.01)
    with pytest.raises(OperationalError):
        await in_database(begun.append, None)
    hangs.set()
    await asyncio.gather(*hanging)  # what had begun is waited for, however long it takes
    assert len(begun) == settings.DB_THREADS


async def test_threads_are_few() -> None:
    names = await asyncio.gather(
        *(in_database(lambda: threading.current_thread().name) for _ in range(100))
    )
    assert len(set(names)) <= settings.DB_THREADS
    assert all(name.startswith("database") for name in names)


@pytest.mark.django_db(transaction=True)
async def test_a_connection_is_kept_until_it_is_dead(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads, "_run", database.as_served)
    monkeypatch.setattr(threads, "_executor", cache(lambda: ThreadPoolExecutor(1)))
    await in_database(LLMPrice.objects.count)
    first = await in_database(lambda: connection.connection)
    assert await in_database(lambda: connection.connection) is first is not None
    with monkeypatch.context() as patch:
        patch.setattr(threads, "_may_be_cut", lambda: True)
        patch.setattr(type(connections["default"]), "is_usable", lambda self: False)
        await in_database(LLMPrice.objects.count)
    assert await in_database(lambda: connection.connection) is not first
    await in_database(connections.close_all)


async def test_work_once_begun_is_done() -> None:
    begun, go, done = threading.Event(), threading.Event(), threading.Event()

    def work() -> None:
        begun.set()
        go.wait(5)
        done.set()

    task = asyncio.create_task(in_database(work))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    go.set()
    assert await asyncio.to_thread(done.wait, 5)
