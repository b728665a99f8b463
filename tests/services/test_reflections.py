"""What is made of interviews outlives workers, Redis, models and the process itself."""

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.examples import LONG
from tests.fake_provider import FakeProvider
from tests.requirements import need_postgresql, need_redis
from tests.services import worlds
from tests.services.client import ENDED, Client
from tests.services.processes import python, run, wait_until
from tests.services.reflecting import (
    ASKED,
    EXPERTS,
    NAMES,
    PATIENCE,
    VERY_SLOWLY,
    calls,
    deliver_again,
    done,
    ended,
    idle,
    made,
    products,
    read_slowly,
    statuses,
    unchanged,
)
from tests.services.sites import Worker
from tests.services.worlds import Production

pytestmark = pytest.mark.timeout(600)
AT_ONCE = 2  # products that a worker makes
HASTE = {"JOB_LEASE": "10", "JOB_PAUSE": "0.1"}
SOON = 6.0  # seconds for a reply, where an expert takes half a minute
NO_MODEL = "No model is configured."
DELETE = (
    "from interviews.turns.deletion import delete_sessions; "
    "from interviews.models import Session; "
    "delete_sessions(Session.objects.filter(pk='{}'))"
)


@pytest.fixture(scope="module")
def hasty(
    tmp_path_factory: pytest.TempPathFactory, shared_provider: FakeProvider
) -> Iterator[Production]:
    """A site of several processes where claims run out soon."""
    need_postgresql()
    need_redis()
    data = tmp_path_factory.mktemp("hasty")
    with worlds.production(data, shared_provider, **HASTE) as world:
        yield world


@pytest.fixture
async def world(hasty: Production, provider: FakeProvider) -> AsyncIterator[Production]:
    """The same, with nothing to do before or after."""
    yield hasty
    provider.reset()
    if hasty.worker.popen is None:  # a test that failed has left it so
        await asyncio.to_thread(hasty.worker.start)
    await asyncio.to_thread(wait_until, lambda: idle(hasty.database), 2 * PATIENCE)


@pytest.fixture
def client(http, world: Production) -> Client:
    return Client(http, world.url)


@pytest.mark.postgresql
@pytest.mark.redis
class TestWorkers:
    """Several processes, PostgreSQL, Redis."""

    @pytest.mark.parametrize("end", ["kill", "stop"])
    async def test_a_worker_that_ends_in_mid_product(self, world, client, provider, end):
        talk = await read_slowly(client, provider, AT_ONCE)
        await asyncio.to_thread(getattr(world.worker, end))
        assert "running" in statuses(world.database, talk).values()
        await asyncio.to_thread(world.worker.start)

        found = await made(world.database, talk)

        assert sum(one.attempts for one in found) == len(NAMES) + AT_ONCE
        assert calls(provider, "Observations") == len(EXPERTS) + AT_ONCE
        await asyncio.to_thread(deliver_again, world, found)
        unchanged(found, products(world.database, talk))

    async def test_a_worker_that_comes_back_too_late_stores_nothing(self, world, client, provider):
        second = Worker(world.env, "tests.services.barriers", "second")
        with worlds.ended(second):
            talk = await read_slowly(client, provider, AT_ONCE)
            before = done(world.worker)
            with world.worker.frozen():
                await asyncio.to_thread(second.start)
                found = await made(world.database, talk)
            await asyncio.to_thread(wait_until, lambda: not provider.open, PATIENCE)
            await asyncio.to_thread(
                wait_until, lambda: done(world.worker) >= before + AT_ONCE, PATIENCE
            )
        assert sum(one.attempts for one in found) == len(NAMES) + AT_ONCE
        unchanged(found, products(world.database, talk))

    async def test_a_product_that_fails_each_time_holds_nothing_up(self, world, client, provider):
        provider.set_rates("status:400@FactsTold=1.0")
        talk = await ended(client)
        await asyncio.to_thread(
            wait_until, lambda: statuses(world.database, talk)["facts"] == "failed", PATIENCE
        )
        await asyncio.to_thread(
            wait_until,
            lambda: list(statuses(world.database, talk).values()).count("ready") == len(NAMES) - 1,
            PATIENCE,
        )
        [facts] = [one for one in products(world.database, talk) if one.name == "facts"]
        assert facts.attempts == 5
        assert "bad request" in facts.reason
        provider.set_rates("")
        again = "UPDATE reflections_reflection SET status = 'pending', attempts = 0 WHERE id = ?"
        world.database.change(again, facts.pk)
        await made(world.database, talk)

    async def test_one_that_is_deleted_in_mid_product_leaves_nothing(self, world, client, provider):
        talk = await read_slowly(client, provider, AT_ONCE)
        before = len(world.worker.log())
        deleted = await asyncio.to_thread(
            run, python("manage.py", "shell", "-c", DELETE.format(talk.session_id)), world.env
        )
        assert deleted.returncode == 0, deleted.stderr
        provider.hurry()
        await asyncio.to_thread(wait_until, lambda: not provider.open, PATIENCE)
        other = await ended(client)
        await made(world.database, other)
        logged = "SELECT task FROM llm_llmcall WHERE session = ?"
        await asyncio.to_thread(
            wait_until, lambda: not world.database.rows(logged, talk.session_id), 10
        )
        assert products(world.database, talk) == []
        assert "Traceback" not in world.worker.log()[before:]

    async def test_no_reply_waits_for_experts(self, world, client, provider):
        await _replies_come_at_once(client, provider, AT_ONCE)


@pytest.mark.postgresql
@pytest.mark.redis
class TestRedis:
    """It goes away, with all that waited in it."""

    async def test_it_is_restarted_while_many_interviews_end(self, world, client, provider):
        talks = await asyncio.gather(*(client.start(name=str(n)) for n in range(20 if LONG else 5)))
        playing = asyncio.gather(*(talk.to_the_end() for talk in talks))
        while not playing.done():
            await asyncio.to_thread(world.redis.kill)
            await asyncio.sleep(0.5)
            await asyncio.to_thread(world.redis.start)
            with suppress(TimeoutError):
                await asyncio.wait_for(asyncio.shield(playing), 2)
        assert set(playing.result()) == {"COMPLETED"}
        found = [await made(world.database, talk, 240) for talk in talks]
        assert {one.attempts for rows in found for one in rows} == {1}
        for schema, times in ASKED.items():  # a busy machine may have some calls tried again
            once = times * len(talks)
            assert once <= calls(provider, schema) < 2 * once
        await asyncio.to_thread(deliver_again, world, [one for rows in found for one in rows])
        for talk, rows in zip(talks, found, strict=True):
            unchanged(rows, products(world.database, talk))

    async def test_it_is_away_when_wishes_are_written(self, world, client):
        talks = [await client.start(name=str(n)) for n in range(3)]
        await asyncio.to_thread(world.redis.kill)
        try:
            assert {await talk.to_the_end() for talk in talks} <= set(ENDED)
            for talk in talks:
                assert statuses(world.database, talk) == dict.fromkeys(NAMES, "pending")
        finally:
            await asyncio.to_thread(world.redis.start)
        for talk in talks:
            assert {one.attempts for one in await made(world.database, talk)} == {1}


class TestOneProcess:
    """The embedded default: SQLite, no Redis, all in the process that serves."""

    async def test_killed_in_mid_product_it_goes_on_when_it_is_back(
        self, template: Path, tmp_path: Path, http, provider: FakeProvider
    ):
        with worlds.embedded(template, tmp_path / "data", **worlds.asking(provider)) as one:
            client = Client(http, one.site.url)
            talk = await read_slowly(client, provider, 1)
            await asyncio.to_thread(one.site.kill)
            assert "running" in statuses(one.database, talk).values()
            await asyncio.to_thread(one.site.start)
            found = await made(one.database, talk)
            assert sum(row.attempts for row in found) == len(NAMES) + 1
            assert calls(provider, "Observations") == len(EXPERTS) + 1

    async def test_no_reply_waits_for_experts(
        self, template: Path, tmp_path: Path, http, provider: FakeProvider
    ):
        with worlds.embedded(template, tmp_path / "data", **worlds.asking(provider)) as one:
            await _replies_come_at_once(Client(http, one.site.url), provider, 1)
            provider.reset()

    async def test_experts_wait_for_a_model_and_read_when_there_is_one(
        self, template: Path, tmp_path: Path, http, provider: FakeProvider
    ):
        with worlds.embedded(template, tmp_path / "data") as one:
            talk = await ended(Client(http, one.site.url))
            waits = lambda: _waiting(products(one.database, talk))  # noqa: E731
            await asyncio.to_thread(wait_until, lambda: waits() == list(EXPERTS), PATIENCE)
            plain = set(NAMES) - set(EXPERTS)
            await asyncio.to_thread(
                wait_until,
                lambda: {statuses(one.database, talk)[name] for name in plain} == {"ready"},
                PATIENCE,
            )
            await asyncio.to_thread(one.site.stop)
            one.site.env |= worlds.asking(provider)
            await asyncio.to_thread(one.site.start)
            found = await made(one.database, talk)
            assert {row.reason for row in found if row.name in EXPERTS} == {""}
            assert {row.attempts for row in found} == {1}


def _waiting(rows) -> list[str]:
    return [one.name for one in rows if (one.status, one.reason) == ("pending", NO_MODEL)]


async def _replies_come_at_once(client: Client, provider: FakeProvider, at_once: int) -> None:
    """Those of an interview that goes on and ends while experts are at it, its last one too."""
    await read_slowly(client, provider, at_once, VERY_SLOWLY)
    talk = await client.start(name="Bea")
    replies = []
    while (await talk.state())["status"] not in ENDED:
        began = time.monotonic()
        assert (await talk.say()).status == 200
        replies.append(time.monotonic() - began)
    assert max(replies) < SOON, replies
    assert provider.open >= at_once
