"""Alerts outlive workers, Redis and the process itself: each goes out, and is ready once."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.fake_provider import FakeProvider
from tests.interviews.post_office import STALL, PostOffice
from tests.requirements import need_postgresql, need_redis
from tests.services import worlds
from tests.services.client import Client, Talk
from tests.services.databases import Database
from tests.services.processes import wait_until
from tests.services.worlds import Production

pytestmark = pytest.mark.timeout(600)
HASTE = {"JOB_LEASE": "3", "JOB_PAUSE": "0.1", "SITE_URL": "https://talks.example.org"}
PATIENCE = 90.0  # seconds
CRY = "I want to kill myself."
PEOPLE = "UPDATE plans_bot SET alert_to = 'anna@example.org' WHERE slug = 'talk'"
ROWS = "SELECT status, attempts FROM interviews_mail WHERE session_id = ?"


@pytest.fixture(scope="module")
def office() -> Iterator[PostOffice]:
    """A mail server that outlives the sites."""
    with PostOffice() as office:
        yield office


@pytest.fixture(scope="module")
def alerting(
    tmp_path_factory: pytest.TempPathFactory, shared_provider: FakeProvider, office: PostOffice
) -> Iterator[Production]:
    """A site of several processes that sends letters, and soon takes up what was lost."""
    need_postgresql()
    need_redis()
    data = tmp_path_factory.mktemp("alerting")
    with worlds.production(data, shared_provider, EMAIL_URL=office.url, **HASTE) as world:
        world.database.change(PEOPLE)
        yield world


@pytest.fixture
def world(alerting: Production, office: PostOffice) -> Production:
    """The same, with an empty bag."""
    alerting.mend()
    office.letters.clear()
    return alerting


@pytest.fixture
def client(http, world: Production) -> Client:
    return Client(http, world.url)


def row(database: Database, talk: Talk) -> tuple[str, int]:
    """The one letter about the interview: its status, and how often it was tried."""
    (found,) = database.rows(ROWS, database.session_key(talk.session_id))
    return found


async def until(true) -> None:
    await asyncio.to_thread(wait_until, true, PATIENCE)


def arrived(office: PostOffice, talk: Talk) -> list[str]:
    """The Message-IDs of the letters about the interview."""
    about = [one.message for one in office.letters if talk.session_id in one.words]
    return [str(message["Message-ID"]) for message in about]


@pytest.mark.postgresql
@pytest.mark.redis
class TestWorkers:
    """Several processes, PostgreSQL, Redis."""

    async def test_an_alert_goes_out_once(self, world, client, office):
        talk = await client.start()
        await talk.say(CRY)
        await until(lambda: row(world.database, talk)[0] == "ready")
        assert len(arrived(office, talk)) == 1

    async def test_a_worker_killed_in_mid_letter_is_followed_by_one_that_sends_it(
        self, world, client, office
    ):
        office.behave({"end": STALL})  # the letter is taken in, and nobody hears of it
        talk = await client.start()
        await talk.say(CRY)
        await until(lambda: arrived(office, talk))
        await asyncio.to_thread(world.worker.kill)
        assert row(world.database, talk)[0] == "running"
        await asyncio.to_thread(world.worker.start)
        await until(lambda: row(world.database, talk)[0] == "ready")
        assert row(world.database, talk)[1] == 2
        ids = arrived(office, talk)
        assert len(ids) == 2
        assert len(set(ids)) == 1

    async def test_redis_is_away_when_it_is_wished_for(self, world, client, office):
        talk = await client.start()
        await asyncio.to_thread(world.redis.kill)
        try:
            await talk.say(CRY)
            assert row(world.database, talk)[0] == "pending"
        finally:
            await asyncio.to_thread(world.redis.start)
        await until(lambda: row(world.database, talk)[0] == "ready")
        assert len(arrived(office, talk)) == 1

    async def test_the_mail_server_is_away_for_a_while(self, world, client, office):
        office.behave({"greeting": "421 too busy"}, {"RCPT": "450 later"})
        talk = await client.start()
        await talk.say(CRY)
        await until(lambda: row(world.database, talk)[0] == "ready")
        assert row(world.database, talk)[1] == 3
        assert len(arrived(office, talk)) == 1


class TestOneProcess:
    """The embedded default: SQLite, no Redis, all in the process that serves."""

    @contextmanager
    def site(self, template: Path, data: Path, **env: str):
        with worlds.embedded(template, data, worlds.APPLICATION, **env) as one:
            one.database.change(PEOPLE)
            yield one

    async def test_killed_in_mid_letter_it_sends_it_when_it_is_back(
        self, template: Path, tmp_path: Path, http, office: PostOffice
    ):
        env = {"EMAIL_URL": office.url, "SITE_URL": HASTE["SITE_URL"]}
        with self.site(template, tmp_path / "data", **env) as one:
            office.behave({"end": STALL})
            talk = await Client(http, one.site.url).start()
            await talk.say(CRY)
            await until(lambda: arrived(office, talk))
            await asyncio.to_thread(one.site.kill)
            await asyncio.to_thread(one.site.start)
            await until(lambda: row(one.database, talk)[0] == "ready")
            assert len(set(arrived(office, talk))) == 1

    async def test_without_a_mail_server_it_waits_until_there_is_one(
        self, template: Path, tmp_path: Path, http, office: PostOffice
    ):
        with self.site(template, tmp_path / "data") as one:
            talk = await Client(http, one.site.url).start()
            await talk.say(CRY)
            assert row(one.database, talk) == ("pending", 0)
            await asyncio.to_thread(one.site.stop)
            one.site.env.update(EMAIL_URL=office.url, SITE_URL=HASTE["SITE_URL"])
            await asyncio.to_thread(one.site.start)
            await until(lambda: row(one.database, talk)[0] == "ready")
            assert len(arrived(office, talk)) == 1
