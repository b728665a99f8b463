"""A process killed in the middle of a turn: the answer stays, and is answered exactly once."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import aiohttp
import pytest

from tests.fake_provider import FakeProvider
from tests.requirements import need_postgresql, need_redis
from tests.services import worlds
from tests.services.client import STORY, Client, Talk, connections, replies_to, whole
from tests.services.killing import ID, STEPS, Cut, under_way
from tests.services.pages import Page
from tests.services.worlds import Production

WITHIN = 60.0  # seconds from the kill to the reply
PATIENT = {"LLM_FIRST_TOKEN_TIMEOUT": "30", "LLM_IDLE_TIMEOUT": "30", "TURN_DEADLINE": "60"}


@dataclass(frozen=True)
class Found:
    """What became of an interview whose process was killed."""

    seconds: float
    entries: list[dict[str, object]]
    before: int
    again: str  # the reply to the same answer sent once more
    next_status: int


@pytest.fixture(scope="module")
def after_restart(
    template: Path, tmp_path_factory: pytest.TempPathFactory, shared_provider: FakeProvider
) -> Iterator[dict[str, Found]]:
    """The embedded default: one process, killed and started again."""
    data = tmp_path_factory.mktemp("killed")
    env = worlds.asking(shared_provider, **PATIENT, TURN_LEASE="600", SWEEP_EVERY="600")
    with worlds.embedded(template, data, worlds.BARRIERS, **env) as world:

        def kill() -> None:
            world.site.kill()
            world.holds.clear()
            world.site.start()

        async def play() -> dict[str, Found]:
            async with connections() as http:
                client = Client(http, world.site.url)
                cuts = await under_way(client, world.holds, shared_provider)
                began = time.monotonic()
                await asyncio.to_thread(kill)
                return {cut.step: await _found(cut, client, began) for cut in cuts}

        yield asyncio.run(play())


@pytest.fixture(scope="module")
def by_others(_production: Production, shared_provider: FakeProvider) -> Iterator[dict[str, Found]]:
    """Several processes: one is killed and stays dead, the others take over."""
    _production.mend()  # whatever a test before has left of it
    dying, other = _production.sites

    async def play() -> dict[str, Found]:
        async with connections() as http:
            cuts = await under_way(Client(http, dying.url), _production.holds, shared_provider)
            began = time.monotonic()
            dying.kill()
            _production.holds.clear()
            client = Client(http, other.url)
            return {cut.step: await _found(cut, client, began) for cut in cuts}

    try:
        yield asyncio.run(play())
    finally:
        _production.holds.clear()
        dying.start()


async def _found(cut: Cut, client: Client, killed: float) -> Found:
    cut.talk.client = client
    await _answered(cut.talk, killed)
    took = time.monotonic() - killed
    entries = await cut.talk.entries()
    again = await cut.talk.say(STORY, ID)
    after = await cut.talk.say("And then we moved to the coast, to a house with a garden.")
    return Found(took, entries, cut.before, again["message"], after.status)


async def _answered(talk: Talk, killed: float) -> None:
    while (await talk.state())["status"] != "WAITING_ANSWER":
        assert time.monotonic() < killed + WITHIN, "no reply in time"
        await asyncio.sleep(0.1)


@pytest.mark.parametrize("step", STEPS)
def test_a_restarted_process_gives_the_one_reply_at_once(after_restart: dict[str, Found], step):
    _exactly_one_reply(after_restart[step])


@pytest.mark.parametrize("step", STEPS)
def test_another_process_gives_the_one_reply(by_others: dict[str, Found], step):
    _exactly_one_reply(by_others[step])


def _exactly_one_reply(found: Found) -> None:
    assert found.seconds < WITHIN
    assert len(found.entries) in (found.before + 2, found.before + 3)  # with or without a bridge
    whole(found.entries)
    said = replies_to(found.entries, STORY)
    assert found.again == "\n\n".join(said)
    assert found.next_status == 200


# -- no worker, no beat


@pytest.fixture(scope="module")
def alone(
    tmp_path_factory: pytest.TempPathFactory, shared_provider: FakeProvider
) -> Iterator[Production]:
    """Two web processes with the usual lease, and nobody else who sweeps."""
    need_postgresql()
    need_redis()
    data, usual = tmp_path_factory.mktemp("alone"), {"TURN_LEASE": "10", "SWEEP_EVERY": "15"}
    with worlds.production(data, shared_provider, workers=False, **usual) as world:
        yield world


async def _look(talk: Talk) -> None:
    assert await Page(talk).look() == 200


async def _listen(talk: Talk) -> None:
    async with Page(talk).socket() as socket:
        await socket.receive(5)


CONTACTS: dict[str, Callable[[Talk], Awaitable[object]]] = {
    "answer": lambda talk: talk.say(STORY, ID),
    "stream": lambda talk: talk.stream(STORY, ID),
    "state": Talk.state,
    "resume": Talk.resume,
    "page": lambda talk: Page(talk).open(),
    "news": _look,
    "websocket": _listen,
}


async def test_without_workers_one_contact_brings_the_reply_and_somebody_sweeps(
    alone: Production, http: aiohttp.ClientSession, provider: FakeProvider
):
    dying, other = alone.sites
    left, *talks = [await Client(http, dying.url).start(name=name) for name in ("", *CONTACTS)]
    for talk in (left, *talks):
        alone.holds.ask(talk.session_id, "asking")
        posting = asyncio.ensure_future(talk.say(STORY, ID))
        posting.add_done_callback(lambda done: done.cancelled() or done.exception())
        await asyncio.to_thread(alone.holds.wait, talk.session_id, "asking", posting)
    killed = time.monotonic()
    await asyncio.to_thread(dying.kill)
    alone.holds.clear()
    for talk in (left, *talks):
        talk.client = Client(http, other.url)
    contacts = [contact(talk) for contact, talk in zip(CONTACTS.values(), talks, strict=True)]
    took, _ = await asyncio.gather(
        asyncio.gather(*(_done_after(alone, talk, killed) for talk in talks)),
        asyncio.gather(*contacts),
    )
    assert max(took) < 15, dict(zip(CONTACTS, took, strict=True))
    assert await _done_after(alone, left, killed) < WITHIN
    for talk in (left, *talks):
        whole(await talk.entries())
        assert replies_to(await talk.entries(), STORY)
    assert "leases" not in dying.log() + other.log()


async def _done_after(world: Production, talk: Talk, killed: float) -> float:
    """Seconds until the turn is done; only the database is asked, which is no contact."""
    query = "SELECT count(*) FROM interviews_turn WHERE session_id = ? AND status = 'running'"
    while await asyncio.to_thread(world.database.rows, query, talk.session_id) != [(0,)]:
        assert time.monotonic() < killed + WITHIN, "no reply in time"
        await asyncio.sleep(0.2)
    return time.monotonic() - killed


async def test_a_turn_that_somebody_is_stuck_in_holds_up_no_other(production: Production, http):
    dying, other = production.sites
    held, free = [await Client(http, dying.url).start() for _ in range(2)]
    for talk in (held, free):  # the older one is looked at first
        production.holds.ask(talk.session_id, "ready")
        posting = asyncio.ensure_future(talk.say(STORY, ID))
        posting.add_done_callback(lambda done: done.cancelled() or done.exception())
        await asyncio.to_thread(production.holds.wait, talk.session_id, "ready", posting)
    rows = "SELECT id FROM interviews_turn WHERE session_id = ? AND status = 'running'"
    with production.database.locked(rows, held.session_id):
        await asyncio.to_thread(dying.kill)
        production.holds.clear()
        free.client = held.client = Client(http, other.url)
        await _answered(free, time.monotonic())
        assert (await held.state())["status"] == "ASKING"
    await _answered(held, time.monotonic())
    for talk in (held, free):
        whole(await talk.entries())


async def test_readiness_tells_of_database_redis_workers_and_model(production_client: Client):
    well = dict.fromkeys(("database", "redis", "workers"), "ok") | {"model": "key accepted"}

    async def ready() -> bool:
        return (await production_client.get("/readyz")).body == well

    for _ in range(100):
        if await ready():
            return
        await asyncio.sleep(0.1)
    raise AssertionError(await production_client.get("/readyz"))
