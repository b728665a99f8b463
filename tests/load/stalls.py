"""Sends hostile answers to every demo bot: for how long does the site stand still?

    python -m tests.load.stalls --answers 500

On the embedded default, and on PostgreSQL and Redis with two Daphne processes, without a model and
with the fake provider. The deadly answers go in one by one, then so many generated ones a language,
many side by side, through the JSON API. Another process asks each web process for /healthz every
50 ms. A site that doesn't answer for long is frozen: it is killed, the answers that were under way
are named, and the rest goes to a new one. Of several that were under way in a freeze or in a stall
that took too long, each is sent once more alone.
"""

import argparse
import asyncio
import json
import multiprocessing
import shutil
import sys
import tempfile
import time
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any

import aiohttp

from tests.fake_provider import FakeProvider
from tests.load.hostile import DEADLY, FILLERS, Answer, generated
from tests.load.storm import USUAL
from tests.services import worlds
from tests.services.client import ENDED, Client, Talk, connections
from tests.services.databases import Database, filled_sqlite

EVERY = 0.05  # seconds between two questions for /healthz
AIM = 0.5  # seconds for which a site may stand still
OWN = ("talk", "papers")  # bots of the tests, not of the demo
OFFLINE = {"LLM_PROVIDER": "offline"}


# -- what is measured


def _ask(port: int, frozen: float, times: Any) -> None:
    """Ask for ever. `times` holds since when there was no answer, or 0, and the longest wait."""
    connection = HTTPConnection("127.0.0.1", port, timeout=10 * frozen)
    while True:
        began = times[0] = time.monotonic()
        try:
            connection.request("GET", "/healthz")
            connection.getresponse().read()
        except (OSError, HTTPException):
            connection.close()
        with times.get_lock():
            times[0], times[1] = 0.0, max(times[1], time.monotonic() - began)
        time.sleep(EVERY)


@dataclass
class Poller:
    """Asks one web process whether it is alive, from a process of its own."""

    port: int
    frozen: float

    def __post_init__(self) -> None:
        spawned = multiprocessing.get_context("spawn")
        self._times = spawned.Array("d", 2)
        arguments = (self.port, self.frozen, self._times)
        self._process = spawned.Process(target=_ask, args=arguments, daemon=True)

    @contextmanager
    def running(self) -> Iterator["Poller"]:
        self._process.start()
        try:
            yield self
        finally:
            self._process.kill()
            self._process.join()

    def take(self) -> float:
        """Return the longest wait since the last time, one that lasts included, in seconds."""
        with self._times.get_lock():
            since, longest = self._times
            self._times[1] = 0.0
        return max(longest, time.monotonic() - since if since else 0.0)


@dataclass
class Stalls:
    """What came of the answers to one site."""

    statuses: Counter[int] = field(default_factory=Counter)  # of the replies; 0: none
    stalls: dict[str, float] = field(default_factory=dict)  # by bot, the longest in seconds
    slow: dict[Answer, float] = field(default_factory=dict)  # stalls of a single answer, too long
    suspects: set[Answer] = field(default_factory=set)  # under way with others in such a stall
    replies: dict[str, float] = field(default_factory=dict)  # by bot, the slowest in seconds
    freezes: list[list[Answer]] = field(default_factory=list)  # each with what was under way
    left: int = 0  # answers for which there was no time
    under_way: list[Answer] = field(default_factory=list)

    def note(self, seconds: float, answers: Sequence[Answer]) -> None:
        for bot in {answer.bot for answer in answers}:
            self.stalls[bot] = max(self.stalls.get(bot, 0.0), seconds)
        if seconds > AIM and len(answers) == 1:
            self.slow[answers[0]] = max(self.slow.get(answers[0], 0.0), seconds)
        elif seconds > AIM:
            self.suspects.update(answers)

    @property
    def longest(self) -> float:
        return max(self.stalls.values(), default=0.0)

    def table(self) -> str:
        rows = {
            "answers": f"{self.statuses.total():,}",
            **{f"  replied with {status}": f"{n:,}" for status, n in sorted(self.statuses.items())},
            "answers not sent in time": f"{self.left:,}",
            "freezes": str(len(self.freezes)),
            "longest stall": f"{self.longest:.2f} s",
            **{f"  of {bot}": f"{seconds:.2f} s" for bot, seconds in sorted(self.stalls.items())},
            **{f"slowest reply of {bot}": f"{s:.2f} s" for bot, s in sorted(self.replies.items())},
        }
        lines = [f"{name:<50}{value:>10}" for name, value in rows.items()]
        lines += [f"{seconds:.2f} s still by {answer}" for answer, seconds in self.slow.items()]
        for answers in self.freezes:
            lines.append(f"FROZEN by {' or '.join(map(str, answers)) or 'nothing that was sent'}")
        return "\n".join(lines)


# -- people


async def _person(told: Stalls, client: Client, queue: deque[Answer], until: float) -> None:
    talks: dict[tuple[str, str], Talk] = {}
    while queue and time.monotonic() < until:
        answer = queue.popleft()
        told.under_way.append(answer)
        began = time.monotonic()
        status = await _send(client, answer, talks)
        told.under_way.remove(answer)
        told.statuses[status] += 1
        took = time.monotonic() - began
        told.replies[answer.bot] = max(told.replies.get(answer.bot, 0.0), took)


async def _send(client: Client, answer: Answer, talks: dict[tuple[str, str], Talk]) -> int:
    """Send it in an open interview, or a new one, and return the status of the reply."""
    key = (answer.bot, answer.language)
    talk = talks.pop(key, None)
    with suppress(aiohttp.ClientError, TimeoutError, AssertionError):
        talk = talk or await client.start(answer.bot, language=answer.language)
        reply = await talk.say(answer.text)
        if reply.status != 200 or reply["status"] not in ENDED:
            talks[key] = talk
        return reply.status
    return 0


async def _watch(told: Stalls, pollers: Sequence[Poller]) -> None:
    """Note each stall with what was under way; return once a site is frozen."""
    before: list[Answer] = []
    while True:
        await asyncio.sleep(EVERY)
        under_way = list(told.under_way)
        for poller in pollers:
            seconds = poller.take()
            told.note(seconds, before or under_way)
            if seconds > poller.frozen:
                return
        before = under_way


async def send(
    told: Stalls,
    url: str,
    pollers: Sequence[Poller],
    queue: deque[Answer],
    people: int,
    until: float,
) -> list[Answer] | None:
    """Send the answers. Return those that were under way when the site froze; None if it didn't."""
    async with connections() as http:
        sending = [
            asyncio.ensure_future(_person(told, Client(http, url), queue, until))
            for _ in range(people)
        ]
        everybody = asyncio.gather(*sending)
        watching = asyncio.ensure_future(_watch(told, pollers))
        await asyncio.wait((everybody, watching), return_when=asyncio.FIRST_COMPLETED)
        frozen = list(told.under_way) if watching.done() else None
        for task in (watching, everybody):
            task.cancel()
        await asyncio.gather(watching, *sending, return_exceptions=True)
        told.under_way.clear()
        with suppress(asyncio.CancelledError):
            await everybody
    return frozen


# -- sites


@contextmanager
def embedded(template: Path, data: Path, env: dict[str, str]) -> Iterator[tuple[str, list[int]]]:
    if not Database(template).file.exists():
        teach_all_languages(Database(filled_sqlite(template)))
    with worlds.embedded(template, data, **env) as world:
        yield world.site.url, [world.site.port]


@contextmanager
def production(
    template: Path, data: Path, env: dict[str, str], provider: FakeProvider
) -> Iterator[tuple[str, list[int]]]:
    data.mkdir()
    with worlds.production(data, provider, **env) as world:
        teach_all_languages(world.database)
        yield world.url, [site.port for site in world.sites]


def teach_all_languages(database: Database) -> None:
    """Let bots speak all languages where that is an option, not a script in each."""
    for key, options in database.rows("SELECT id, options FROM plans_bot"):
        known = json.loads(options) if isinstance(options, str) else options
        if spoken := known.get("languages"):
            known["languages"] = list(dict.fromkeys((*spoken, *FILLERS)))
            database.change("UPDATE plans_bot SET options = ? WHERE id = ?", json.dumps(known), key)


async def _bots(url: str) -> dict[str, list[str]]:
    """Return the demo bots with their languages."""
    async with connections() as http:
        listed = (await Client(http, url).get("/api/bots")).body
    return {one["slug"]: one["languages"] for one in listed if one["slug"] not in OWN}


def answers(bots: dict[str, list[str]], count: int, seed: int) -> tuple[list[Answer], list[Answer]]:
    """Return the deadly answers, and those generated: so many a language, dealt to its bots."""
    deadly = [
        Answer(bot, languages[0], name, text)
        for bot, languages in bots.items()
        for name, text in DEADLY.items()
    ]
    dealt = []
    for language in FILLERS:
        speak = [bot for bot, languages in bots.items() if language in languages]
        dealt += [
            generated(speak[number % len(speak)], language, number, seed) for number in range(count)
        ]
    return deadly, sorted(dealt, key=lambda answer: answer.bot)


def besiege(site: Any, data: Path, given: argparse.Namespace) -> Stalls:
    """Send all answers to one site after the other: each that freezes is killed."""
    told, until = Stalls(), time.monotonic() + given.minutes * 60
    alone, together = deque[Answer](), deque[Answer]()
    for life in range(sys.maxsize):
        with ExitStack() as stack:
            url, ports = stack.enter_context(site(data / "template", data / str(life)))
            pollers = [stack.enter_context(Poller(one, given.frozen).running()) for one in ports]
            if not life:
                both = answers(asyncio.run(_bots(url)), given.answers, given.seed)
                alone.extend(both[0])
                together.extend(both[1])
            for queue, people in ((alone, 1), (together, given.people), (alone, 1)):
                alone.extend(told.suspects)
                told.suspects.clear()
                frozen = asyncio.run(send(told, url, pollers, queue, people, until))
                if frozen is not None:
                    told.freezes.append(frozen)
                    alone.extend(frozen if len(frozen) > 1 else ())
                    break
            else:
                told.left = len(alone) + len(together)
                return told
    raise AssertionError  # the loop never ends


def main() -> int:
    """Plays and prints the figures; 1 if a site froze or stood still for longer than it may."""
    parser = argparse.ArgumentParser(prog="python -m tests.load.stalls", description=__doc__)
    parser.add_argument("--answers", type=int, default=500, help="generated, a language and site")
    parser.add_argument("--people", type=int, default=8, help="who answer at once")
    parser.add_argument("--on", choices=("embedded", "production"), help="one of the sites only")
    parser.add_argument("--model", choices=("none", "fake"), help="one of both only")
    parser.add_argument("--frozen", type=float, default=15, help="seconds without an answer")
    parser.add_argument("--minutes", type=float, default=20, help="for each site, at most")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    bad = False
    with FakeProvider() as provider:
        models = {"none": USUAL | OFFLINE, "fake": worlds.asking(provider, **USUAL)}
        sites = {"embedded": embedded, "production": partial(production, provider=provider)}
        for name in [given.on] if given.on else sites:
            for model in [given.model] if given.model else models:
                data = Path(tempfile.mkdtemp(prefix="interviewsite-stalls-"))
                try:
                    told = besiege(partial(sites[name], env=models[model]), data, given)
                finally:
                    shutil.rmtree(data, ignore_errors=True)
                print(f"{name}, model: {model}\n{told.table()}\n", flush=True)
                bad = bad or bool(told.freezes) or told.longest > AIM
    return int(bad)


if __name__ == "__main__":
    sys.exit(main())
