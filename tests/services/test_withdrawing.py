"""Who withdraws leaves no word: not in the database, its files, Redis or the logs."""

import asyncio
import time
from pathlib import Path

import aiohttp
import redis

from tests.services.client import STORY, Client, Talk
from tests.services.worlds import Embedded, Production

CANARY = "Zanzibarquail"
NAME = "Quetzalina"
TOLD = f"My sister {CANARY} kept the bakery in Riga for thirty years. {STORY}"
TABLES = "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"
READY = "SELECT count(*) FROM reflections_reflection WHERE session_id = ? AND status = 'ready'"
MINE = "SELECT status, participant_id FROM interviews_session WHERE id = ?"


async def told(client: Client) -> Talk:
    """An interview that was answered, finished, and of which things were made."""
    talk = await client.start(name=NAME, params={"PROLIFIC_PID": CANARY})
    for _ in range(3):
        assert (await talk.say(TOLD)).status == 200
    assert (await talk.press("end")).status == 200
    return talk


async def withdrawn(talk: Talk) -> None:
    reply = await talk.press("withdraw")
    assert (reply.status, reply["status"]) == (200, "WITHDRAWN")
    assert (await talk.state()).status == 404  # its secret opens nothing any more


def holding(folder: Path) -> list[str]:
    """The files in which a word of it stands."""
    files = (path for path in folder.rglob("*") if path.is_file())
    words = [CANARY.encode(), NAME.encode()]
    return [path.name for path in files if any(word in path.read_bytes() for word in words)]


async def until(done, seconds: float = 60.0) -> None:
    end = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < end
        await asyncio.sleep(0.1)


async def test_sqlite_its_files_and_logs(modelled: Embedded, modelled_client: Client):
    talk = await told(modelled_client)
    key = modelled.database.session_key(talk.session_id)
    await until(lambda: modelled.database.rows(READY, key)[0][0] >= 2)
    assert holding(modelled.data)  # or it could not be seen to go
    await withdrawn(talk)
    assert modelled.database.rows(MINE, key) == [("WITHDRAWN", None)]
    await asyncio.sleep(2)  # for whatever was being made of it meanwhile
    left = [line for line in modelled.site.log().splitlines() if CANARY in line or NAME in line]
    assert left == []
    assert holding(modelled.data) == []


async def test_postgresql_redis_and_logs(production: Production, production_client: Client):
    talk = await told(production_client)
    await until(lambda: production.database.rows(READY, talk.session_id)[0][0] >= 2)
    assert tables_holding(production)
    await withdrawn(talk)
    assert production.database.rows(MINE, talk.session_id) == [("WITHDRAWN", None)]
    await asyncio.sleep(2)
    assert tables_holding(production) == []
    assert keys_holding(production) == []
    logs = [process.log() for process in (*production.sites, production.worker, production.beat)]
    assert not any(CANARY in log or NAME in log for log in logs)


def tables_holding(production: Production) -> list[str]:
    found = []
    for (table,) in production.database.rows(TABLES):
        query = f'SELECT count(*) FROM "{table}" AS t WHERE t::text ~ ?'
        if production.database.rows(query, f"{CANARY}|{NAME}")[0][0]:
            found.append(table)
    return found


def keys_holding(production: Production) -> list[bytes]:
    """Keys of Redis whose stored form holds a word of it."""
    with redis.Redis.from_url(production.redis.url) as kept:
        dumps = [(key, kept.dump(key) or b"") for key in kept.scan_iter()]
    return [key for key, dump in dumps if CANARY.encode() in dump or NAME.encode() in dump]


async def test_a_reply_that_is_under_way_is_dropped(
    production: Production, http: aiohttp.ClientSession
):
    talk = await Client(http, production.sites[0].url).start(name=NAME)
    production.holds.ask(talk.session_id, "ready")
    saying = asyncio.create_task(talk.say(TOLD))
    await asyncio.to_thread(production.holds.wait, talk.session_id, "ready")
    await withdrawn(talk)
    production.holds.clear()
    assert (await saying).status in (200, 404)
    await asyncio.sleep(1)
    assert tables_holding(production) == []
