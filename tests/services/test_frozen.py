"""An answer that freezes the process that reads it: one process ends, the answer gets its reply."""

import asyncio
import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import aiohttp
import psutil
import pytest

from tests.fake_provider import FakeProvider
from tests.requirements import need_postgresql, need_redis
from tests.services import worlds
from tests.services.client import STORY, Answered, Client, Talk, replies_to, whole
from tests.services.processes import PATIENCE
from tests.services.sites import Site

FREEZES = "The whole river was frozen, and we walked to school across it."
ID = "frozen"


async def _until_replied(talk: Talk) -> Answered:
    """Sends the answer again until there is a reply, as the page does."""
    async with asyncio.timeout(PATIENCE):
        while True:
            with suppress(aiohttp.ClientError):
                reply = await talk.say(FREEZES, ID)
                if reply.status == 200 and reply["message"]:
                    return reply
            await asyncio.sleep(0.2)


async def _is_whole(talk: Talk) -> None:
    entries = await talk.entries()
    whole(entries)
    assert replies_to(entries, FREEZES)
    assert (await talk.say(STORY)).status == 200


def _says_where_without_words(log: str) -> None:
    assert "Timeout (0:00:10)!" in log
    assert "_read_or_freeze" in log
    assert "river" not in log


@pytest.fixture
def two(tmp_path: Path, provider: FakeProvider) -> Iterator[tuple[Site, Site]]:
    """Two web processes on PostgreSQL and Redis, which freeze."""
    need_postgresql()
    need_redis()
    with worlds.production(tmp_path, provider, workers=False) as world:
        for site in world.sites:
            site.command[-1] = "tests.services.freezing:application"
        worlds.together(*world.sites)
        yield world.sites


@pytest.mark.postgresql
@pytest.mark.redis
async def test_it_costs_one_of_two_processes(two: tuple[Site, Site], http):
    one, other = two
    talk = await Client(http, one.url).start()
    with pytest.raises(aiohttp.ClientError):
        await talk.say(FREEZES, ID)
    talk.client = Client(http, other.url)
    assert (await _until_replied(talk)).status == 200
    await _is_whole(talk)
    assert not one.alive()
    assert other.alive()
    _says_where_without_words(one.log())
    assert "rules don't read them" in other.log()
    assert "Timeout" not in other.log()


async def test_the_one_process_comes_back_by_itself(tmp_path: Path, http, template: Path):
    with worlds.embedded(template, tmp_path / "data") as world:
        site = world.site
        site.kill()
        site.command[1:2] = ["-m", "tests.services.freezing"]
        await asyncio.to_thread(site.start)
        talk = await Client(http, site.url).start()
        assert (await _until_replied(talk)).status == 200
        await _is_whole(talk)
        assert site.alive()
        _says_where_without_words(site.log())
        assert site.log().count("Starting another one.") == 1


def test_who_serves_ends_with_who_started_it(tmp_path: Path, template: Path):
    with worlds.embedded(template, tmp_path / "data") as world:
        serving = psutil.Process(world.site.serving)
        os.kill(world.site.popen.pid, signal.SIGKILL)
        assert serving.wait(PATIENCE) is None


def test_a_site_that_is_stopped_stays_stopped(tmp_path: Path, template: Path):
    with worlds.embedded(template, tmp_path / "data") as world:
        os.kill(world.site.popen.pid, signal.SIGTERM)
        assert world.site.popen.wait(PATIENCE) == 0
