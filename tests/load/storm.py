"""Kills and cuts at random while people answer: is each answer stored once, and replied to once?

    python -m tests.load.storm --kills 500

On SQLite the one process is killed and started again; on PostgreSQL and Redis web processes, the
worker and beat are, and all connections to Redis or PostgreSQL are cut. Clients do what the docs
tell them to: an answer without a reply is sent again with its id.
"""

import argparse
import asyncio
import math
import random
import shutil
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import aiohttp
import redis

from interviews.engine.contact_data.masking import HIDDEN
from tests.fake_provider import FakeProvider
from tests.load.respondents import answers
from tests.services import worlds
from tests.services.client import ENDED, Client, Talk, connections, whole
from tests.services.databases import filled_sqlite
from tests.services.processes import PATIENCE, Process

T = TypeVar("T")
BETWEEN = (0.5, 3.0)  # seconds from one blow to the next
DOWN = (0.0, 2.0)  # seconds until whatever watches over processes starts a dead one
AGAIN = 0.5  # seconds until a client tries once more
USUAL = {"TURN_LEASE": "10", "SWEEP_EVERY": "15"}  # as where nothing is set
HOSTILE = 0.05  # share of answers that might freeze a process
BOTS = (
    "talk",
    "life-story",
    "product-research",
    "technical-backend-en",
    "print-shop-handover",
    "evening-reading",
)
Blow = Callable[[], Awaitable[None]]
# its address, what may happen to it, and what is started again when it has died by itself
Site = tuple[str, dict[str, Blow], tuple[Process, ...]]


@dataclass
class Storm:
    """What happened: when each blow fell, and from when to when each answer was under way."""

    blows: dict[str, list[float]] = field(default_factory=dict)  # by what was struck
    answered: list[tuple[float, float]] = field(default_factory=list)
    talks: list[Talk] = field(default_factory=list)
    over: bool = False

    def recoveries(self) -> list[float]:
        """Seconds from the last blow that an answer met to its reply."""
        struck = sorted(at for times in self.blows.values() for at in times)
        met = ((ended, [at for at in struck if sent < at < ended]) for sent, ended in self.answered)
        return [ended - times[-1] for ended, times in met if times]

    def table(self, wrong: Sequence[str]) -> str:
        """The figures."""
        recoveries = [*self.recoveries(), 0.0, 0.0]
        rows = {
            **{f"blows at {name}": len(times) for name, times in self.blows.items()},
            "interviews": len(self.talks),
            "answers": len(self.answered),
            "answers that met a blow": len(recoveries) - 2,
            "interviews with a word lost or doubled": len(wrong),
            "recovery, median": f"{statistics.median(recoveries):.1f} s",
            "recovery, 95 %": f"{statistics.quantiles(recoveries, n=20)[-1]:.1f} s",
            "recovery, longest": f"{max(recoveries):.1f} s",
        }
        return "\n".join(f"{name:<40}{value:>10}" for name, value in rows.items())


# -- people


async def _answer(storm: Storm, client: Client, number: int, seed: int) -> None:
    """One interview after the other, until the storm is over, but one answer at least."""
    _temperament, given = answers(number, seed, HOSTILE)
    answered = False
    while not (storm.over and answered):
        bot = BOTS[(number + len(storm.talks)) % len(BOTS)]
        talk = await _until(storm, partial(client.start, bot, name=str(number)))
        storm.talks.append(talk)
        status = ""
        while status not in ENDED and not (storm.over and answered):
            sent, place = time.monotonic(), len(talk.given) + 1
            answer = partial(_replied, talk, f"{place}. {next(given)}", f"m{place}")
            status = await _until(storm, answer)
            storm.answered.append((sent, time.monotonic()))
            answered = True


async def _replied(talk: Talk, text: str, key: str) -> str:
    reply = await talk.say(text, key)
    assert reply.status == 200 and reply["status"] != "ASKING", reply
    return str(reply["status"])


async def _until(storm: Storm, attempt: Callable[[], Awaitable[T]]) -> T:
    """Return what the attempt gives once it succeeds. People wait as long as the storm lasts."""
    until = math.inf
    while True:
        try:
            return await attempt()
        except (aiohttp.ClientError, TimeoutError, AssertionError):
            if storm.over:
                until = min(until, time.monotonic() + 2 * PATIENCE)
            if time.monotonic() > until:
                raise
        await asyncio.sleep(AGAIN)


# -- blows

_struck: defaultdict[Process, asyncio.Lock] = defaultdict(asyncio.Lock)


def _kills(process: Process, rng: random.Random) -> Blow:
    async def kill() -> None:
        async with _struck[process]:
            await asyncio.to_thread(process.kill)
            await asyncio.sleep(rng.uniform(*DOWN))
            await asyncio.to_thread(process.start)

    return kill


async def _supervise(processes: Sequence[Process]) -> None:
    """Start what has ended by itself, as systemd does."""
    while True:
        for process in processes:
            async with _struck[process]:
                if not process.alive():
                    await asyncio.to_thread(process.start)
        await asyncio.sleep(AGAIN)


def _in_thread(function: Callable[[], object]) -> Blow:
    async def blow() -> None:
        await asyncio.to_thread(function)

    return blow


def _cut_redis(url: str) -> None:
    with redis.Redis.from_url(url) as connection:
        for kind in ("normal", "pubsub"):
            connection.client_kill_filter(_type=kind, skipme=True)


@contextmanager
def embedded(data: Path, provider: FakeProvider, seed: int) -> Iterator[Site]:
    """One process on SQLite."""
    env, rng = worlds.asking(provider, **USUAL), random.Random(seed)
    with worlds.embedded(filled_sqlite(data / "template"), data / "site", **env) as world:
        yield world.site.url, {"the one process": _kills(world.site, rng)}, (world.site,)


@contextmanager
def production(data: Path, provider: FakeProvider, seed: int) -> Iterator[Site]:
    """Two web processes behind one address, worker and beat, on PostgreSQL and Redis."""
    rng = random.Random(seed)
    with worlds.production(data, provider, **USUAL) as world:
        one, other = world.sites
        blows = {
            "a web process": _kills(one, rng),
            "the other web process": _kills(other, rng),
            "the worker": _kills(world.worker, rng),
            "beat": _kills(world.beat, rng),
            "connections to Redis": _in_thread(lambda: _cut_redis(world.redis.url)),
            "connections to PostgreSQL": _in_thread(world.database.cut_all),
        }
        yield world.url, blows, world.sites


SITES = {"embedded": embedded, "production": production}


async def _strike(storm: Storm, blows: Mapping[str, Blow], count: int, rng: random.Random) -> None:
    """So many blows; nothing is struck again before it is up again."""
    under_way: dict[str, asyncio.Task[None]] = {}
    for _ in range(count):
        name = rng.choice(list(blows))
        if name in under_way:
            await under_way[name]
        await asyncio.sleep(rng.uniform(*BETWEEN))
        storm.blows.setdefault(name, []).append(time.monotonic())
        under_way[name] = asyncio.ensure_future(blows[name]())
    await asyncio.gather(*under_way.values())


def _wrong(talk: Talk, entries: Sequence[dict[str, Any]]) -> str:
    """What is lost, doubled or out of order in that interview; nothing, if it is complete."""
    said = [entry["text"] for entry in entries if entry["role"] == "participant"]
    given = list(talk.given.values())
    same = len(said) == len(given) and all(
        shown in (sent, HIDDEN) for shown, sent in zip(said, given, strict=True)
    )
    if not same:
        return f"{talk.session_id}: {len(talk.given)} answers sent, stored are {said}"
    try:
        whole(list(entries))
    except AssertionError as error:
        return f"{talk.session_id}: {error}"
    return ""


async def play(
    url: str, blows: Mapping[str, Blow], processes: Sequence[Process], given: argparse.Namespace
) -> tuple[Storm, list[str]]:
    """The storm and what came of it: a line for each interview that isn't whole."""
    storm, rng = Storm(), random.Random(given.seed)
    async with connections() as http:
        client = Client(http, url)
        people = [
            asyncio.ensure_future(_answer(storm, client, number, given.seed))
            for number in range(given.people)
        ]
        supervising = asyncio.create_task(_supervise(processes))
        await _strike(storm, blows, given.kills, rng)
        storm.over = True
        await asyncio.gather(*people)
        told = [_wrong(talk, await _until(storm, talk.entries)) for talk in storm.talks]
        supervising.cancel()
    return storm, [line for line in told if line]


def main() -> int:
    """Plays, prints the figures and what is wrong; 1 if anything is."""
    parser = argparse.ArgumentParser(prog="python -m tests.load.storm", description=__doc__)
    parser.add_argument("--kills", type=int, default=500, help="blows on each of the sites")
    parser.add_argument("--people", type=int, default=20, help="who answer at once")
    parser.add_argument("--on", choices=SITES, help="one of the sites only")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    wrong: list[str] = []
    for name in [given.on] if given.on else SITES:
        data = Path(tempfile.mkdtemp(prefix="interviewsite-storm-"))
        try:
            with FakeProvider() as provider, SITES[name](data, provider, given.seed) as site:
                storm, found = asyncio.run(play(*site, given))
        finally:
            shutil.rmtree(data, ignore_errors=True)
        print(f"{name}\n{storm.table(found)}", *found, sep="\n", end="\n\n", flush=True)
        wrong += found
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
