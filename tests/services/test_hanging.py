"""A PostgreSQL server that hangs and isn't dead: people are told so in time, and keep their words.

It is a relay before the server that hangs, as others use the server too.
"""

import asyncio
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from interviewsite.postgresql.base import Connection, Silent
from tests.requirements import POSTGRESQL_SERVER, need_postgresql, postgresql_url
from tests.services.client import STORY, Client, whole
from tests.services.pages import Page
from tests.services.processes import Process, free_port, python
from tests.services.sites import APPLICATION, Site, answers
from tests.services.worlds import Production, ended

WITHIN = 45.0  # seconds; it was for ever
pytestmark = [pytest.mark.postgresql, pytest.mark.redis]


class Relay(Process):
    def __init__(self, data: Path) -> None:
        self.port = free_port()
        to = str(urlsplit(POSTGRESQL_SERVER).port or 5432)
        command = python("-m", "tests.services.proxy", str(self.port), to)
        super().__init__(command, {"PATH": "/usr/bin:/bin"}, data / "relay.log")


@dataclass
class Relayed:
    """A site that reaches PostgreSQL by a relay."""

    site: Site
    relay: Relay


@pytest.fixture
def relayed(production: Production, tmp_path: Path) -> Iterator[Relayed]:
    relay = Relay(tmp_path)
    url = urlsplit(production.database.url)
    there = url._replace(netloc=f"{url.username}@127.0.0.1:{relay.port}").geturl()
    site = Site(production.env | {"DATABASE_URL": there}, APPLICATION, "relayed")
    with ended(relay), ended(site):
        relay.start()
        site.start()
        assert answers(f"{site.url}/readyz")
        yield Relayed(site, relay)


def test_a_query_without_an_answer_ends_with_its_connection():
    need_postgresql()
    with Connection.connect(postgresql_url("postgres")) as connection:
        connection.patience = 0.3
        with pytest.raises(Silent):
            connection.execute("SELECT pg_sleep(600)")
        assert connection.closed


async def test_answers_and_pages_are_refused_in_time(relayed: Relayed, http):
    talk = await Client(http, relayed.site.url).start()
    page = Page(talk, script=False)
    await page.open()
    with relayed.relay.frozen():
        began = time.monotonic()
        said, sent, opened = await asyncio.gather(
            talk.say(STORY, "hung"),
            page.send(text="Words in the box.", message_id="form"),
            talk.client.get(page.path, {"Cookie": f"interviewsite={talk.cookie}"}),
        )
        took = time.monotonic() - began
    assert [one.status for one in (said, sent, opened)] == [503] * 3
    assert all(int(one.headers["Retry-After"]) for one in (said, sent, opened))
    assert "Words in the box." in sent.body
    assert took < WITHIN
    for _ in range(100):
        if (reply := await talk.say(STORY, "hung")).status == 200:
            break
        await asyncio.sleep(0.2)
    assert reply.status == 200
    whole(await talk.entries())
    assert await talk.answers() == [STORY]
