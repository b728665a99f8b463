"""The embedded default: one process, SQLite, the in-memory layer."""

import asyncio
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.requirements import APART, need_small_disk
from tests.services import worlds
from tests.services.client import STORY, Client, whole
from tests.services.pages import Page, heard
from tests.services.processes import environment, eventually, python, run
from tests.services.sites import Site, answers
from tests.services.worlds import Embedded


async def test_twenty_writers_at_once_are_never_locked_out(
    embedded_client: Client, offline: Embedded
):
    talks = await asyncio.gather(*(embedded_client.start(name=str(i)) for i in range(20)))
    assert set(await asyncio.gather(*(talk.to_the_end() for talk in talks))) == {"COMPLETED"}
    for talk in talks:
        entries = await talk.entries()
        whole(entries)
        said = [entry["text"] for entry in entries if entry["role"] == "participant"]
        assert said == list(talk.given.values())
    assert "locked" not in offline.site.log()


# -- a disk without room


class SmallDisk(Site):
    """A site by `manage.py serve` whose DATA_DIR is a disk of 32 MB with a copied database."""

    def __init__(self, template: Path, data: Path) -> None:
        super().__init__(environment(data, **worlds.QUICK))
        copied = f"cp {template}/interviewsite.sqlite3 {data}"
        made = f"mount -t tmpfs -o size=32m tmpfs {data} && {copied}"
        self.command = [*APART, "sh", "-c", f'{made} && exec "$@"', "", *self.command]

    def inside(self, data: Path) -> Path:
        """The data directory as the site sees it."""
        return Path(f"/proc/{self.popen.pid}/root{data}")


async def test_a_disk_that_is_full_costs_nobody_their_words(
    http, template: Path, tmp_path_factory: pytest.TempPathFactory
):
    need_small_disk()
    data = tmp_path_factory.mktemp("full")
    site = SmallDisk(template, data)
    with worlds.ended(site):
        await asyncio.to_thread(site.start)
        client = Client(http, site.url)
        talk = await client.start("life-story")
        assert (await client.get("/readyz"))["disk"] == "ok"
        page = Page(talk, script=False)
        await page.open()
        await asyncio.to_thread(fill, site.inside(data) / "something-else")
        ready = await client.get("/readyz")
        assert (ready.status, ready["disk"]) == (503, "full")
        for number in range(100):  # the database's journal has some room left
            said = f"{number} {STORY}" * 60
            reply = await page.send(text=said, message_id=f"m{number}")
            if reply.status != 200:
                break
        assert reply.status == 503
        assert said in reply.body
        assert f'action="{page.path}answer/"' in reply.body
        assert "Please try again in a moment." in reply.body
        (site.inside(data) / "something-else").unlink()
        assert (await talk.say(said, f"m{number}")).status == 200
        assert (await client.get("/readyz")).status == 200


def fill(file: Path) -> None:
    """Until not a byte more fits on its disk."""
    with file.open("wb", buffering=0) as grown, suppress(OSError):
        while True:
            grown.write(bytes(4096))


# -- more than one process


@pytest.mark.parametrize("application", ["", worlds.APPLICATION])
def test_a_second_process_on_the_same_data_refuses_to_start_and_says_why(
    offline: Embedded, application: str
):
    second = Site(offline.site.env, application, "second")
    ended = run(second.command, second.env)
    assert ended.returncode != 0
    assert "REDIS_URL" in ended.stderr
    assert str(offline.data) in ended.stderr
    assert answers(f"{offline.site.url}/healthz")


def test_several_web_processes_without_redis_are_refused(template: Path):
    ended = run(python("manage.py", "serve"), environment(template, WEB_CONCURRENCY="2"))
    assert ended.returncode != 0
    assert "in-memory channel layer" in ended.stderr
    assert "REDIS_URL" in ended.stderr


# -- a layer that loses messages


@pytest.fixture(scope="module")
def lossy(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Embedded]:
    """A site most of whose news gets lost on the way."""
    data = tmp_path_factory.mktemp("lossy")
    with worlds.embedded(template, data, "tests.services.lossy:application") as world:
        yield world


async def test_a_page_converges_although_most_news_is_lost(http, lossy: Embedded):
    talk = await Client(http, lossy.site.url).start("life-story")
    page = Page(talk)
    await page.open()
    async with page.socket() as socket:
        for number in range(10):
            await talk.say(f"{STORY} {number}")
        await heard(socket, page)
    await page.look()
    await _equals_what_is_stored(page)


async def test_a_page_that_reads_nothing_for_150_events_converges(http, lossy: Embedded):
    talk = await Client(http, lossy.site.url).start("life-story")
    page = Page(talk)
    await page.open()
    async with page.socket() as socket:
        for number in range(5):
            await talk.say(f"{STORY} {number}")
            for _ in range(14):
                await page.send("pause")
                await page.send("resume")
        assert page.sequence > 0
        await heard(socket, page)
        await eventually(lambda: _up_to_date(page))
    await _equals_what_is_stored(page)


async def _up_to_date(page: Page) -> bool:
    return await page.look() == 204


async def _equals_what_is_stored(page: Page) -> None:
    assert await page.look() == 204
    assert page.length == len(await page.talk.entries())
    assert page.phase == "yours"
    assert sorted(set(page.taken)) == list(range(1, page.length + 1))
    assert page.taken == sorted(page.taken), "a page takes each entry in order"
