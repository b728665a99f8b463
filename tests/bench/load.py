"""How many interviews one core holds: `python -m tests.bench.load`, beside a bare relay.

The site is one process on one core. Participants, as browsers are, and the fake model share the
other: each answers by a form and hears the words by websocket. Active ones answer at once, thinking
ones 5 to 15 seconds after the reply. Interviews are topic explorations, of one call to a model a
turn; once life stories, of several. At last thousands of pages are open and silent.
"""

import argparse
import asyncio
import json
import os
import random
import re
import resource
import subprocess
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory

import aiohttp
import django
import psutil
import yaml

from tests.bench.figures import Figure, median, p95, table
from tests.bench.processes import ROOT, provider, requests
from tests.fake_provider.wire import tokens
from tests.readings import follows_up
from tests.requirements import has_redis, postgresql_answers
from tests.services import warm
from tests.services.client import connections
from tests.services.databases import drop_all, empty_postgresql
from tests.services.processes import environment, python, run
from tests.services.sites import APPLICATION, Redis, Site

RELAY, SQLITE, POSTGRESQL = "relay", "SQLite", "PostgreSQL"
SLUG, STORY = "load", "load-story"  # bots
AT_ONCE = 5  # interviews that begin together
REPLIES = 6_000  # of the fake model
IDLE, PAGES = 5_000, 10  # open pages, in all and of one interview
PATIENCE = 60.0  # seconds for a reply; a participant who hears none is lost
HELD = 0.25  # seconds of added wait with which a number of turns a second counts as held
TTFT, RATE = 0.4, 60.0  # of the fake model: seconds to its first token, tokens a second
ADDED = {  # aims for the wait that a site adds to the model's own, p95
    (SQLITE, "1"): "≤ 15",
    (POSTGRESQL, "1"): "≤ 20",
    (SQLITE, "200 thinking"): "≤ 100",
    (POSTGRESQL, "200 thinking"): "≤ 100",
}
CORE = min(os.sched_getaffinity(0))  # of the site
DRAFT = "#draft-words"
DONE = re.compile(r'data-phase="(yours|over)"')
SEQUENCE, LENGTH = (re.compile(rf'data-{name}="(\d+)"') for name in ("sequence", "length"))
TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')
NOUNS = (
    "kettle",
    "harbour",
    "ledger",
    "winter",
    "market",
    "station",
    "window",
    "garden",
    "hammer",
    "letter",
    "bridge",
    "candle",
    "orchard",
    "ticket",
    "copper",
    "blanket",
    "engine",
    "theatre",
    "pocket",
    "river",
    "morning",
    "uncle",
    "railway",
    "basket",
    "mirror",
    "carpet",
    "island",
    "summer",
    "doctor",
    "bakery",
    "village",
    "teacher",
    "ribbon",
    "stairs",
    "courtyard",
    "lantern",
    "violin",
    "factory",
    "neighbour",
    "tunnel",
    "chimney",
    "needle",
    "saddle",
    "meadow",
    "curtain",
    "anchor",
    "kitchen",
    "captain",
)
Wait = Callable[[random.Random], float]


@dataclass(frozen=True)
class Crowd:
    """So many participants, and how long each thinks before answering."""

    name: str
    people: int
    thinks: Wait
    seconds: float
    warming: float = 4.0  # seconds in which they begin to answer, before anything counts
    bot: str = SLUG


@dataclass
class Heard:
    """What a crowd has heard: seconds to the first word, and when."""

    first: list[float] = field(default_factory=list)
    lost: int = 0


def crowds(short: bool) -> list[Crowd]:
    def at_once(_chance: random.Random) -> float:
        return 0.05

    def thinking(chance: random.Random) -> float:
        return chance.uniform(5, 15)

    if short:
        return [Crowd("3 active", 3, at_once, 2, warming=1)]
    return [
        Crowd("1", 1, at_once, 20),
        Crowd("10 active", 10, at_once, 15),
        Crowd("10 active, life story", 10, at_once, 15, bot=STORY),
        Crowd("60 active", 60, at_once, 20),
        Crowd("200 thinking", 200, thinking, 30, warming=15),
    ]


# -- participants


class Talk:
    """One interview of the site, as a browser leads it."""

    def __init__(self, http: aiohttp.ClientSession, url: str, bot: str = SLUG) -> None:
        self._http, self._url, self._bot = http, url, bot
        self._socket: aiohttp.ClientWebSocketResponse | None = None
        self._cookies = self._token = self._id = self._length = ""

    async def begin(self) -> None:
        """Start an interview, open its page, and its websocket."""
        await self.close()
        data = {"participant_name": "Ann", "bot": self._bot}
        async with self._http.post(f"{self._url}/api/chat/start", json=data) as response:
            response.raise_for_status()
            self._id = (await response.json())["session_id"]
            cookie = response.cookies["interviewsite"].value
        headers = {"Cookie": f"interviewsite={cookie}"}
        async with self._http.get(f"{self._url}/s/{self._id}/", headers=headers) as response:
            page = await response.text()
            token = response.cookies["csrftoken"].value
        self._cookies = f"interviewsite={cookie}; csrftoken={token}"
        self._token = TOKEN.search(page)[1]  # type: ignore[index]
        self._length = LENGTH.search(page)[1]  # type: ignore[index]
        async with asyncio.timeout(PATIENCE):
            await self._listen()
            await self._hear()

    async def _listen(self) -> None:
        self._socket = await self.page()

    async def page(self) -> aiohttp.ClientWebSocketResponse:
        """Open one more websocket of this interview."""
        return await self._http.ws_connect(
            f"{self._url}/ws/s/{self._id}/?after={self._length}",
            headers={"Cookie": self._cookies, "Origin": self._url},
        )

    async def _hear(self) -> str:
        """Return the next fragment; a socket that was closed is opened again, as the page does."""
        while True:
            with suppress(ConnectionError):
                heard = await self._socket.receive()  # type: ignore[union-attr]
                if heard.type is aiohttp.WSMsgType.TEXT:
                    return str(heard.data)
            await self._listen()

    async def say(self, text: str) -> float:
        """Answer; return the seconds to the first word, once the reply is whole."""
        began, first = time.perf_counter(), 0.0
        posting = asyncio.ensure_future(self._post(text))
        over = ""
        try:
            while not over:
                heard = await self._hear()
                done = DONE.search(heard)
                spoken = DRAFT in heard and not heard.endswith('-words"></div>\n')
                # a socket that was opened again may tell how it was before the answer
                if done and (length := LENGTH.search(heard)[1]) != self._length:  # type: ignore[index]
                    over, self._length = done[1], length
                if (spoken or over) and not first:
                    first = time.perf_counter() - began
            await posting
        finally:
            posting.cancel()
        if over == "over":
            await self.begin()
        return first

    async def _post(self, text: str) -> None:
        form = {
            "text": text,
            "message_id": uuid.uuid4().hex,
            "answering": self._length,
            "after": self._length,
            "csrfmiddlewaretoken": self._token,
        }
        headers = {"Cookie": self._cookies, "HX-Request": "true", "Origin": self._url}
        url = f"{self._url}/s/{self._id}/answer/"
        for _ in range(2):  # a connection may have been closed; who sends twice is answered once
            with suppress(aiohttp.ServerDisconnectedError):
                async with self._http.post(url, data=form, headers=headers) as response:
                    response.raise_for_status()
                    await response.read()
                    return

    async def close(self) -> None:
        if self._socket is not None:
            await self._socket.close()


class BareTalk:
    """The same with the relay."""

    def __init__(self, http: aiohttp.ClientSession, url: str) -> None:
        self._http, self._url, self._chat = http, url, uuid.uuid4().hex
        self._socket: aiohttp.ClientWebSocketResponse | None = None

    async def begin(self) -> None:
        self._socket = await self._http.ws_connect(f"{self._url}/words/{self._chat}/")

    async def say(self, text: str) -> float:
        began, first = time.perf_counter(), 0.0
        url = f"{self._url}/answer/{self._chat}/"
        async with self._http.post(url, data={"text": text}) as response:
            response.raise_for_status()
        while (await self._socket.receive_str()) != "\0":  # type: ignore[union-attr]
            first = first or time.perf_counter() - began
        return first

    async def close(self) -> None:
        if self._socket is not None:
            await self._socket.close()


def _words(chance: random.Random, many: int) -> str:
    return ", the ".join(chance.sample(NOUNS, many))


def _answer(chance: random.Random) -> str:
    return f"We had the {_words(chance, 6)}, and all of that was on the table every evening."


def utterances() -> list[str]:
    """Questions of some forty tokens; that an interview is asked one twice is rare."""
    chance = random.Random(0)
    asked = [question["text"] for section in _script() for question in section["questions"]]
    seen = (f"You have just told me of the {_words(chance, 3)}. " for _ in range(REPLIES))
    return [begins + chance.choice(asked) for begins in seen]


def _script() -> list[dict[str, list[dict[str, str]]]]:
    path = ROOT / "plans" / "demo" / "scripts" / "life_story_en.yaml"
    return list(yaml.safe_load(path.read_text(encoding="utf-8"))["sections"])


# -- a crowd


@dataclass(frozen=True)
class Found:
    """What a crowd found: seconds to the first word, turns a second, and what a turn takes."""

    first: list[float]
    turns: float
    processor: float
    calls: float  # to the model
    lost: int


async def take(crowd: Crowd, *sites: Site) -> Found:
    """Measure a crowd that is spread over these sites, as a proxy before them would do."""
    bare, model = sites[0].command[-1] != APPLICATION, sites[0].env["ANTHROPIC_BASE_URL"]
    async with connections() as http:
        urls = [sites[n % len(sites)].url for n in range(crowd.people)]
        talks = [BareTalk(http, url) if bare else Talk(http, url, crowd.bot) for url in urls]
        for few in range(0, len(talks), AT_ONCE):
            await asyncio.gather(*(talk.begin() for talk in talks[few : few + AT_ONCE]))
        heard = Heard()
        people = [
            asyncio.ensure_future(_take_part(random.Random(number), crowd, talk, heard))
            for number, talk in enumerate(talks)
        ]
        await asyncio.sleep(crowd.warming)
        heard.first.clear()
        calls = await requests(http, model)
        spent, began = sum(map(_processor_time, sites)), time.perf_counter()
        await asyncio.sleep(crowd.seconds)
        took = time.perf_counter() - began
        spent = sum(map(_processor_time, sites)) - spent
        calls, turns = max(1, await requests(http, model) - calls), len(heard.first)
        found = Found(list(heard.first), turns / took, spent / turns, calls / turns, heard.lost)
        for person in people:
            person.cancel()
        for result in await asyncio.gather(*people, return_exceptions=True):
            if isinstance(result, Exception):
                raise result
        await asyncio.gather(*(talk.close() for talk in talks))
    return found


async def _take_part(
    chance: random.Random, crowd: Crowd, talk: Talk | BareTalk, heard: Heard
) -> None:
    await asyncio.sleep(chance.uniform(0, crowd.warming))
    while True:
        try:
            async with asyncio.timeout(PATIENCE):  # wait_for may lose who is called off
                heard.first.append(await talk.say(_answer(chance)))
        except TimeoutError:
            heard.lost += 1
            await talk.begin()
        await asyncio.sleep(crowd.thinks(chance))


async def _idle(site: Site, pages: int) -> list[Figure]:
    """What open and silent pages cost, and how soon anything is answered meanwhile."""
    assert site.popen is not None
    process = psutil.Process(site.serving)
    async with connections() as http:
        talks, sockets = [Talk(http, site.url) for _ in range(pages // PAGES)], []
        before = process.memory_info().rss
        for talk in talks:
            await talk.begin()
        begun = process.memory_info().rss
        for talk in talks:
            sockets += await asyncio.gather(*(talk.page() for _ in range(PAGES)))
        opened = process.memory_info().rss
        began = time.perf_counter()
        async with http.get(f"{site.url}/healthz") as response:
            response.raise_for_status()
        took = time.perf_counter() - began
        await asyncio.gather(*(socket.close() for socket in sockets))
    return [
        Figure("memory of an idle chat", (begun - before) / len(talks) / 1_000, "KB", "≤ 150"),
        Figure("memory of one more page of it", (opened - begun) / len(sockets) / 1_000, "KB"),
        Figure(f"/healthz beside {pages:,} idle pages", took, "s", "< 1"),
    ]


def _processor_time(site: Site) -> float:
    assert site.popen is not None
    fields = Path(f"/proc/{site.serving}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


# -- the sites


@contextmanager
def served(name: str, model: str, **settings: str) -> Iterator[Site]:
    """The relay, or a site on that database, on the first core alone."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory()))
        settings |= _settings(name, folder, stack)
        env = environment(folder, ANTHROPIC_BASE_URL=model, **settings)
        if name != RELAY:
            filled = run(python("-m", "tests.bench.load", "--fill"), env)
            if filled.returncode:
                raise RuntimeError(filled.stderr[-3000:])
        site = Site(env, "tests.bench.relay:application" if name == RELAY else APPLICATION)
        stack.callback(site.kill)
        site.start()
        assert site.popen is not None
        for thread in Path(f"/proc/{site.serving}/task").iterdir():
            os.sched_setaffinity(int(thread.name), {CORE})
        yield site


def _settings(name: str, folder: Path, stack: ExitStack) -> dict[str, str]:
    model = {"LLM_PROVIDER": "anthropic", "ANTHROPIC_API_KEY": "bench"}
    model |= {"SOCKETS_PER_ADDRESS": "10000", "SOCKETS_PER_SESSION": "1000"}
    if name != POSTGRESQL:
        return model
    redis = Redis(folder)
    stack.callback(redis.kill)
    redis.start()
    return model | {"DATABASE_URL": empty_postgresql(folder).url, "REDIS_URL": redis.url}


def _fill() -> None:
    """Make the tables, and bots whose interviews are longer than the bench."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "interviewsite.settings")
    django.setup()
    from plans.models import Bot, SubGoal, Topic  # they need the settings
    from tests import database
    from tests.conftest import make_bot

    database.make()
    make_bot(100, slug=STORY)
    options = {"goal": "life with a kettle"}
    bot = Bot.objects.create(
        slug=SLUG,
        title="Kettles",
        status="live",
        minutes=600,
        protocol="topic_exploration",
        options=options,
    )
    for place, noun in enumerate(NOUNS[:12]):
        topic = Topic.objects.create(bot=bot, key=noun, label=f"the {noun}", position=place)
        SubGoal.objects.create(topic=topic, text=f"what set off the {noun}")


async def prepare_model(model: str) -> None:
    """Give the fake model replies to many turns, in no interview one twice."""
    asked = utterances()
    replies = {"": asked, "TopicLed": [follows_up(one) | {"facts": []} for one in asked]}
    async with (
        aiohttp.ClientSession() as http,
        http.post(f"{model}/_control", json={"replies": replies}) as response,
    ):
        response.raise_for_status()


def measure(short: bool) -> list[Figure]:
    """Figures of every crowd at each site, beside the relay's in the same run."""
    if short:  # its figures say only that the bench works
        warm.switch_on()
    found, figures = _found(short)
    bare = {crowd: one for (site, crowd), one in found.items() if site == RELAY}
    for (site, crowd), one in found.items():
        if site != RELAY:
            figures += _beside(bare[crowd], one, f"{site}, {crowd.name}")
        if site != RELAY and crowd.bot == SLUG:
            figures += _waits(one, f"{site}, {crowd.name}", ADDED.get((site, crowd.name), ""))
    return [*figures, *_held(found)]


def _beside(bare: Found, one: Found, what: str) -> list[Figure]:
    spent = one.processor / one.calls / bare.processor
    return [
        Figure(f"{what}: turns a second ÷ relay's", one.turns / bare.turns, "x"),
        Figure(f"{what}: model calls a turn", one.calls, "calls"),
        Figure(f"{what}: processor time ÷ relay's for as many calls", spent, "x", "≤ 2"),
        Figure(f"{what}: replies not heard", one.lost, "turns", "0"),
    ]


def _waits(one: Found, what: str, aim: str) -> list[Figure]:
    own = _own_wait()
    added = 1_000 * (p95(one.first) - own)
    return [
        Figure(f"{what}: wait ÷ the model's own, median", median(one.first) / own, "x"),
        Figure(f"{what}: wait ÷ the model's own, p95", p95(one.first) / own, "x"),
        Figure(f"{what}: added wait, p95", added, "ms", aim),
    ]


def _held(found: dict[tuple[str, Crowd], Found]) -> list[Figure]:
    """The most turns a second of any crowd in which hardly anybody waits for long."""
    if POSTGRESQL not in {site for site, _ in found}:
        return []
    quick = [
        one.turns
        for (site, _), one in found.items()
        if site == POSTGRESQL and p95(one.first) - _own_wait() < HELD
    ]
    held, relay = max(quick, default=0.0), max(o.turns for (s, _), o in found.items() if s == RELAY)
    what = f"PostgreSQL: turns a second, added wait under {1_000 * HELD:.0f} ms"
    return [Figure(what, held, "turns", "≥ 40"), Figure("the same ÷ relay's", held / relay, "x")]


def _own_wait() -> float:
    """Seconds that the model takes to its first spoken word, after the reading's fields."""
    begun = json.dumps(follows_up("You"))[:-2]
    return TTFT + len(tokens(begun)) / RATE


def _found(short: bool) -> tuple[dict[tuple[str, Crowd], Found], list[Figure]]:
    figures: list[Figure] = []
    found: dict[tuple[str, Crowd], Found] = {}
    cores, people = os.sched_getaffinity(0), crowds(short)
    resource.setrlimit(
        resource.RLIMIT_NOFILE, (2 * IDLE, resource.getrlimit(resource.RLIMIT_NOFILE)[1])
    )
    sites = [RELAY, SQLITE, *([POSTGRESQL] if postgresql_answers() and has_redis() else [])]
    os.sched_setaffinity(0, {max(cores)})  # the fake model too, which is started from here
    try:
        with provider(TTFT, RATE) as model:
            asyncio.run(prepare_model(model))
            for name in sites:
                with served(name, model) as site:
                    for crowd in people:
                        found[name, crowd] = asyncio.run(take(crowd, site))
                    if name == sites[-1]:
                        figures += asyncio.run(_idle(site, IDLE // 50 if short else IDLE))
        return found, figures
    finally:
        os.sched_setaffinity(0, cores)
        drop_all()


def profile(path: str) -> None:
    """Write a flame graph of where the processor time of the site's turns goes."""
    crowd = Crowd("10 active", 10, lambda _chance: 0.05, 20)
    with provider(TTFT, RATE) as model:
        asyncio.run(prepare_model(model))
        with served(SQLITE, model) as site:
            assert site.popen is not None
            asyncio.run(take(replace(crowd, seconds=5), site))  # all is loaded then
            options = ["--gil", "--duration", "20", "--output", path, "--pid", str(site.serving)]
            spy = subprocess.Popen(["py-spy", "record", *options])
            asyncio.run(take(crowd, site))
            spy.wait()


def main() -> None:
    options = argparse.ArgumentParser(prog="python -m tests.bench.load", description=__doc__)
    options.add_argument("--fill", action="store_true", help="only fill a site's database")
    options.add_argument("--short", action="store_true", help="only to see that it works")
    options.add_argument("--profile", metavar="SVG", help="a flame graph instead of figures")
    given = options.parse_args()
    if given.fill:
        _fill()
    elif given.profile:
        profile(given.profile)
    else:
        print(table(measure(given.short)))


if __name__ == "__main__":
    main()
