"""Who withdraws leaves no word: not in the database, its files, Redis or the logs."""

import asyncio
import json
import random
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from string import ascii_lowercase

import aiohttp
import pytest
import redis

from tests.requirements import need_postgresql
from tests.services.client import STORY, Client, Talk
from tests.services.databases import Database, new_postgresql
from tests.services.processes import environment, eventually, python, run
from tests.services.worlds import Embedded, Production

TABLES = "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"
READY = "SELECT count(*) FROM reflections_reflection WHERE session_id = ? AND status = 'ready'"
ERASURES = "SELECT count(*) FROM interviews_erasure"
VACUUMED = (
    "SELECT bool_and(last_vacuum IS NOT NULL), sum(n_dead_tup) = 0 FROM pg_stat_user_tables "
    "WHERE relname IN ('interviews_transcriptentry', 'interviews_note', 'interviews_participant')"
)
MINE = "SELECT status, participant_id FROM interviews_session WHERE id = ?"


@dataclass(frozen=True)
class Words:
    """What nobody but this test's participant says, since the database is that of all tests."""

    name: str
    canary: str

    @property
    def told(self) -> str:
        return f"My sister {self.canary} kept the bakery in Riga for thirty years. {STORY}"

    def stand_in(self, text: str) -> bool:
        return self.name in text or self.canary in text

    def stand_in_bytes(self, data: bytes) -> bool:
        return self.name.encode() in data or self.canary.encode() in data


@pytest.fixture
def words() -> Words:
    own = "".join(random.choices(ascii_lowercase, k=8))
    return Words(f"Quetzalina{own}", f"Zanzibarquail{own}")


async def told(client: Client, words: Words) -> Talk:
    """An interview that was answered, finished, and of which things were made."""
    talk = await client.start(name=words.name, params={"PROLIFIC_PID": words.canary})
    for _ in range(3):
        assert (await talk.say(words.told)).status == 200
    assert (await talk.press("end")).status == 200
    return talk


async def withdrawn(talk: Talk) -> None:
    reply = await talk.press("withdraw")
    assert (reply.status, reply["status"]) == (200, "WITHDRAWN")
    assert (await talk.state()).status == 404  # its secret opens nothing any more


def holding(folder: Path, words: Words) -> list[str]:
    """The files in which a word of it stands."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return [path.name for path in files if words.stand_in_bytes(path.read_bytes())]


async def until(done, seconds: float = 60.0) -> None:
    end = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < end
        await asyncio.sleep(0.1)


async def test_sqlite_its_files_and_logs(modelled: Embedded, modelled_client: Client, words: Words):
    talk = await told(modelled_client, words)
    key = modelled.database.session_key(talk.session_id)
    await until(lambda: modelled.database.rows(READY, key)[0][0] >= 2)
    assert holding(modelled.data, words)  # or it could not be seen to go
    await withdrawn(talk)
    assert modelled.database.rows(MINE, key) == [("WITHDRAWN", None)]
    await asyncio.sleep(2)  # for whatever was being made of it meanwhile
    left = [line for line in modelled.site.log().splitlines() if words.stand_in(line)]
    assert left == []
    assert holding(modelled.data, words) == []


READER = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("BEGIN")
print(*connection.execute("SELECT count(*) FROM interviews_session").fetchone(), flush=True)
sys.stdin.readline()
connection.execute("ROLLBACK")
print("done", flush=True)
sys.stdin.readline()
"""


@contextmanager
def reading(database: Database) -> Iterator[Callable[[], None]]:
    """A read that takes its time, as a download's, until what is given is called.

    Its connection stays open after that: the last one to be closed would empty the journal. It is
    another process, since reading a file of the database here would lose our locks on it.
    """
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True, "bufsize": 1}
    with subprocess.Popen(python("-c", READER, str(database.file)), **pipes) as reader:

        def end() -> None:
            reader.stdin.write("\n")
            assert reader.stdout.readline() == "done\n"

        assert reader.stdout.readline()
        try:
            yield end
        finally:
            reader.kill()


async def test_sqlite_while_somebody_reads(
    modelled: Embedded, modelled_client: Client, words: Words
):
    talk, other = await told(modelled_client, words), await modelled_client.start()
    goodbye = "/withdrawn/?language=en"
    with reading(modelled.database) as end:
        began = time.monotonic()
        reply = await talk.press("withdraw")
        assert (reply.status, reply["status"], reply["erased"]) == (200, "WITHDRAWN", False)
        assert (await other.say()).status == 200
        assert time.monotonic() - began < 10  # SQLite would wait for 20 seconds
        assert holding(modelled.data, words)  # they were told the truth
        assert "still being cleared" in (await modelled_client.get(goodbye)).body
        end()
        await until(lambda: not holding(modelled.data, words), 5)

        async def cleared() -> bool:
            return "still being cleared" not in (await modelled_client.get(goodbye)).body

        await eventually(cleared, 5)
        assert (await other.press("withdraw"))["erased"]


async def test_sqlite_after_a_process_that_died_before_the_journal_was_empty(
    modelled: Embedded, modelled_client: Client, words: Words
):
    talk = await told(modelled_client, words)
    with reading(modelled.database) as end:
        assert not (await talk.press("withdraw"))["erased"]
        await asyncio.to_thread(modelled.site.kill)
        end()
        assert holding(modelled.data, words)
        await asyncio.to_thread(modelled.site.start)
        await until(lambda: not holding(modelled.data, words), 30)


async def test_postgresql_redis_and_logs(
    production: Production, production_client: Client, words: Words
):
    talk = await told(production_client, words)
    await until(lambda: production.database.rows(READY, talk.session_id)[0][0] >= 2)
    assert tables_holding(production, words)
    await withdrawn(talk)
    assert production.database.rows(MINE, talk.session_id) == [("WITHDRAWN", None)]
    await asyncio.sleep(2)
    assert tables_holding(production, words) == []
    assert keys_holding(production, words) == []
    logs = [process.log() for process in (*production.sites, production.worker, production.beat)]
    assert not any(words.stand_in(log) for log in logs)
    await until(lambda: production.database.rows(ERASURES) == [(0,)])
    # Figures follow some moments later.
    await until(lambda: production.database.rows(VACUUMED) == [(True, True)])


def tables_holding(production: Production, words: Words) -> list[str]:
    found = []
    for (table,) in production.database.rows(TABLES):
        query = f'SELECT count(*) FROM "{table}" AS t WHERE t::text ~ ?'
        if production.database.rows(query, f"{words.canary}|{words.name}")[0][0]:
            found.append(table)
    return found


def keys_holding(production: Production, words: Words) -> list[bytes]:
    """Keys of Redis whose stored form holds a word of it."""
    with redis.Redis.from_url(production.redis.url) as kept:
        dumps = [(key, kept.dump(key) or b"") for key in kept.scan_iter()]
    return [key for key, dump in dumps if words.stand_in_bytes(dump)]


async def test_a_reply_that_is_under_way_is_dropped(
    production: Production, http: aiohttp.ClientSession, words: Words
):
    talk = await Client(http, production.sites[0].url).start(name=words.name)
    production.holds.ask(talk.session_id, "ready")
    saying = asyncio.create_task(talk.say(words.told))
    await asyncio.to_thread(production.holds.wait, talk.session_id, "ready")
    await withdrawn(talk)
    production.holds.clear()
    assert (await saying).status in (200, 404)
    await asyncio.sleep(1)
    assert tables_holding(production, words) == []


@pytest.mark.postgresql
@pytest.mark.parametrize(
    ("meanwhile", "came"),
    [
        ("product", {"status": "WITHDRAWN", "products": 0}),
        ("export", {"status": "failed", "holding": 0}),
    ],
)
def test_postgresql_while_something_is_made_of_it(tmp_path, meanwhile, came):
    """Neither waits for the other for ever, and nothing keeps what is withdrawn."""
    need_postgresql()
    database = new_postgresql(tmp_path)
    env = environment(tmp_path, DATABASE_URL=database.url)
    done = run(python("-m", "tests.services.colliding", meanwhile), env)
    assert done.returncode == 0, done.stderr[-3000:]
    assert json.loads(done.stdout.splitlines()[-1]) == came, done.stderr[-3000:]
