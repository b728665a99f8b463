"""What is made of a life story, looked at from beside the site that makes it."""

import asyncio
import time
from typing import Any

from celery import Celery

from tests.fake_provider import FakeProvider
from tests.services.client import ENDED, Client, Talk
from tests.services.databases import Database
from tests.services.processes import wait_until
from tests.services.sites import Worker
from tests.services.worlds import Production

PATIENCE = 90.0  # seconds
EXPERTS = tuple(
    f"expert:{one}" for one in ("demographer", "economist", "political_scientist", "psychologist")
)
NAMES = sorted(("coverage", "facts", "summary", *EXPERTS))
ASKED = {"Retold": 1, "FactsTold": 1, "Observations": len(EXPERTS)}  # schema -> calls
SLOWLY = "drip:0.1@Observations"  # a call that takes more than ten seconds
VERY_SLOWLY = "drip:0.3@Observations"  # and one of more than half a minute
TASK = "reflections.tasks.make_reflection"
ROWS = (
    "SELECT name, status, attempts, finished_at, id, reason FROM reflections_reflection "
    "WHERE session_id = ? ORDER BY name"
)


class Product:
    """A row of the table of products."""

    def __init__(self, row: tuple[Any, ...]) -> None:
        self.name, self.status, self.attempts, self.finished_at, self.pk, self.reason = row

    def __repr__(self) -> str:
        return f"{self.name} {self.status} {self.attempts} {self.reason}"


def products(database: Database, talk: Talk) -> list[Product]:
    """All of an interview's, by name."""
    return [Product(row) for row in database.rows(ROWS, database.session_key(talk.session_id))]


def statuses(database: Database, talk: Talk) -> dict[str, str]:
    """How far each of them is."""
    return {one.name: one.status for one in products(database, talk)}


async def made(database: Database, talk: Talk, seconds: float = PATIENCE) -> list[Product]:
    """Waits until all are, and asserts that there is one of each."""
    until = time.monotonic() + seconds
    found = products(database, talk)
    while any(one.status != "ready" for one in found):
        assert time.monotonic() < until, found
        await asyncio.sleep(0.2)
        found = products(database, talk)
    assert [one.name for one in found] == NAMES
    return found


async def ended(client: Client) -> Talk:
    """An interview that has just ended."""
    talk = await client.start()
    assert await talk.to_the_end() in ENDED
    return talk


async def read_slowly(
    client: Client, provider: FakeProvider, times: int, slowly: str = SLOWLY
) -> Talk:
    """The same; so many experts are at it, and will be for a while."""
    provider.queue(*[slowly] * times)
    talk = await ended(client)
    await asyncio.to_thread(wait_until, lambda: calls(provider, "Observations") >= times, PATIENCE)
    return talk


def idle(database: Database) -> bool:
    """Whether nothing is wished for or being made."""
    rows = "SELECT id FROM reflections_reflection WHERE status IN ('pending', 'running')"
    return not database.rows(rows)


def calls(provider: FakeProvider, schema: str) -> int:
    """How often a model was asked for that."""
    return sum(one.schema == schema for one in list(provider.requests))


def deliver_again(world: Production, rows: list[Product], worker: Worker | None = None) -> None:
    """Each task once more; waits until a worker is through with all of them."""
    worker = worker or world.worker
    before = done(worker)
    app = Celery(broker=world.redis.url)
    app.conf.broker_transport_options = {"global_keyprefix": "services:"}
    with app.connection_for_write() as connection:
        for one in rows:
            app.send_task(TASK, [one.pk], connection=connection)
    wait_until(lambda: done(worker) >= before + len(rows), PATIENCE)


def done(worker: Worker) -> int:
    """How many of these tasks a worker has come to the end of."""
    lines = worker.log().splitlines()
    return sum("make_reflection" in line and "succeeded" in line for line in lines)


def unchanged(before: list[Product], after: list[Product]) -> None:
    """Asserts that nothing was stored a second time."""
    assert [vars(one) for one in before] == [vars(one) for one in after]
