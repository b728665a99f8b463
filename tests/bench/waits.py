"""How long a participant waits for the first word, against one call to the model.

The provider is the fake one, as a process, asked through the real SDK; both the call that is
compared with and the interviews run against it.
"""

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import aiohttp
from django.conf import settings
from django.db.models import QuerySet

from interviews.engine.leading import LeadInput
from interviews.models import Turn
from interviews.protocols.life_story import tasks as life_story
from interviews.protocols.topic_exploration import tasks as topic_exploration
from llm.concurrency.threads import in_database
from llm.models import LLMCall
from llm.tasks.task import Task, Tier
from tests.bench import assessing, climbing, handing_over
from tests.bench.asking import between, first_word, queue
from tests.bench.client import Heard, Participant
from tests.bench.figures import Figure, median, p95
from tests.browser.site import Site
from tests.conftest import make_bot, make_topic_bot
from tests.fake_provider.wire import tokens
from tests.readings import follows_up

STORY = (
    "We lived over a bakery in Riga, the five of us in two rooms, and I remember how the floor was "
    "warm under our feet on winter mornings when the ovens below had been lit at three."
)
EXPLORING = 8  # turns of an exploration; the bench's bot has nine sub-goals
LONGEST = 16  # turns of a life story
SIXTH = 6  # the turn from which a conversation is long enough for a cache
BEGINNINGS = (
    "When you think of {}",
    "What became of {}",
    "Who looked after {}",
    "You spoke of {}, so how was it",
    "How did {} look",
    "Where would I find {}",
    "Whose idea was {}",
    "Why does {} matter",
)
THINGS = (
    "the ovens",
    "the floor",
    "your sisters",
    "the stairs",
    "the street",
    "the baker",
    "the windows",
    "the bread",
    "the winter",
    "the river",
    "the neighbours",
    "the shop",
)


def measure(url: str, turns: int) -> list[Figure]:
    """Waits of follow-ups and next questions ÷ one main call's time to its first useful token."""
    with _site(url) as site:
        return asyncio.run(_measure(url, site.url, turns))


async def _measure(url: str, site: str, turns: int) -> list[Figure]:
    async with aiohttp.ClientSession() as http:
        times = range(max(2, turns // 2))
        # the first call loads the SDK, which this figure leaves out
        reading = median([await _reading(http, url, i) for i in times])
        one_call = [await _one_call(http, url, i) for i in times]
        heard = await _interview(http, url, site, turns)
        one_reply = [await _one_reply(http, url, i) for i in times]
        explored = await _explored(http, url, site, turns, BEGINNINGS)
        alike = await _explored(http, url, site, turns, BEGINNINGS[:1])
        assessed = await assessing.measure(http, url, site, turns, reading)
        climbed = await climbing.measure(http, url, site, turns, reading)
        handed_over = await handing_over.measure(http, url, site, turns, reading)
    logged = await in_database(_logged)
    return [
        *logged,
        *_figures(median(one_call), heard),
        _wait("topic exploration: wait ÷ one main call", median(one_reply), explored),
        _wait("the same where all questions begin alike", median(one_reply), alike),
        *assessed,
        *handed_over,
        *climbed,
    ]


def _logged() -> list[Figure]:
    done = Turn.objects.filter(status=Turn.Status.DONE, number__gt=0)
    turns = done.filter(session__bot__slug__startswith="bench")  # the others had no model
    share = turns.filter(decision__taken_back__gt=0).count() / turns.count()
    taken_back = "turns whose shown words were taken back, of 200"
    return [
        Figure(taken_back, 200 * share, "turns", "≤ 1"),
        *_spent("life story", "bench", turns),
        *_spent("topic exploration", "bench-topics", turns),
    ]


def _spent(name: str, bot: str, turns: QuerySet[Turn]) -> Iterator[Figure]:
    """What the turns of a bot took, by the log of its calls."""
    many = turns.filter(session__bot__slug=bot).count()
    calls = LLMCall.objects.filter(bot=bot, turn__gt=0)
    led = list(calls.filter(tier=Tier.MAIN))
    late = [call for call in led if call.turn >= SIXTH]
    cached = sum(call.cache_read_tokens for call in late)
    sent = cached + sum(call.input_tokens + call.cache_write_tokens for call in late)
    begun = [len(tokens(call.response.partition('"say":')[0])) for call in led if call.response]
    spent = sum(float(call.cost or 0) for call in calls)
    yield Figure(f"{name}: main model calls a turn", len(led) / many, "calls", "≤ 1.1")
    yield Figure(f"{name}: all model calls a turn", calls.count() / many, "calls")
    yield Figure(f"{name}: tokens before the utterance", median(begun), "tokens", "≤ 10")
    if late:
        share = cached / sent
        yield Figure(f"{name}: cached share, from the sixth turn", share, "share", "≥ 0.7")
    yield Figure(f"{name}: cost of a turn", 100 * spent / many, "US¢")


def _wait(name: str, one: float, heard: list[Heard]) -> Figure:
    return Figure(name, median([h.first for h in heard]) / one, "x", "≤ 1.1")


async def _explored(
    http: aiohttp.ClientSession, url: str, site: str, turns: int, begin: Sequence[str]
) -> list[Heard]:
    """Topic explorations, as far as every turn is one call: before their topics are exhausted."""
    person, heard = Participant(http, site), []
    for number in range(turns):
        if number % EXPLORING == 0:
            await person.start("bench-topics")
        await queue(http, url, _reply(number, begin), "TopicLed")
        heard.append(await person.say(f"{STORY} And once more, {number}."))
    return heard


def _figures(one: float, heard: list[Heard]) -> list[Figure]:
    waits = {
        kind: [h.first for h in heard if h.kind == kind]
        for kind in ("follow_up", "scripted_question")
    }
    added = [1000 * (h.first - one) for h in heard]
    stays, nexts = (median(waits[kind]) / one for kind in waits)
    return [
        Figure("life story: wait for a follow-up ÷ one main call", stays, "x", "≤ 1.1"),
        Figure("life story: wait for the next question ÷ one main call", nexts, "x", "≤ 1.1"),
        Figure("added wait, p95 ÷ one main call", p95(added) / (1000 * one), "x", ""),
    ]


@contextmanager
def _site(provider_url: str) -> Iterator[Site]:
    """A site of its own process on this bench's database."""
    make_bot(40, slug="bench", minutes=240)
    make_topic_bot(minutes=120, slug="bench-topics")
    assessing.prepare()
    handing_over.prepare()
    climbing.prepare()
    site = Site(
        settings.DATA_DIR,
        LLM_PROVIDER="anthropic",
        ANTHROPIC_API_KEY="bench",
        ANTHROPIC_BASE_URL=provider_url,
    )
    site.start()
    try:
        yield site
    finally:
        site.kill()


async def _one_call(http: aiohttp.ClientSession, url: str, number: int) -> float:
    """Seconds until the first word of a follow-up, asked for without a site around it."""
    await queue(http, url, _follow_up(number), "LifeStoryLed")
    return await first_word(life_story.LEAD, _input(life_story.LEAD), "say")


async def _reading(http: aiohttp.ClientSession, url: str, number: int) -> float:
    """Seconds that the reading takes, in whatever call they come first."""
    await queue(http, url, _follow_up(number), "LifeStoryLed")
    return await between(life_story.LEAD, _input(life_story.LEAD), "heard", "say")


async def _one_reply(http: aiohttp.ClientSession, url: str, number: int) -> float:
    """The same for the one call of a topic exploration."""
    await queue(http, url, _reply(number, BEGINNINGS), "TopicLed")
    return await first_word(topic_exploration.LEAD, _input(topic_exploration.LEAD), "say")


def _input(task: Task[LeadInput, object]) -> LeadInput:
    lists = {key: ["-"] for key in ("known", "closed", "moves", "coming")}
    names = task.input.model_fields.keys() - lists.keys() - {"dialogue", "reading"}
    return LeadInput(**{**dict.fromkeys(names, "-"), **lists, "language": "en", "answer": STORY})


def _reply(number: int, begin: Sequence[str]) -> dict[str, object]:
    thing = THINGS[number % len(THINGS)]
    begun = begin[number % len(begin)].format(thing)
    asked = f"{begun} in the year {1950 + number}, and what do you see first?"
    return {**follows_up(asked), "facts": []}


async def _interview(http: aiohttp.ClientSession, url: str, site: str, turns: int) -> list[Heard]:
    """Follow-ups and next questions in turn; the first turn, which has no notes, is left out."""
    person, heard = Participant(http, site), []
    for number in range(turns + 1):
        place = number % LONGEST
        if place == 0:
            await person.start("bench")
            await queue(http, url, _next(2, number), "LifeStoryLed")
            await person.say(STORY)
        planned = _follow_up(number) if number % 2 else _next(3 + place // 2, number)
        await queue(http, url, planned, "LifeStoryLed")
        heard.append(await person.say(f"{STORY} And once more, {number}."))
    return heard


def _next(item: int, number: int) -> dict[str, object]:
    """The script's next question in words of its own, which are compared with what was planned."""
    thing = THINGS[number // 2 % len(THINGS)]
    said = f"I can picture {thing}. What comes to mind first when you think of part {item - 1}?"
    return {"heard": f"fully q{item}", "say": said}


def _follow_up(number: int) -> dict[str, object]:
    thing = THINGS[number // 2 % len(THINGS)]  # each once in an interview
    asked = f"You spoke of {thing}. What was it about {thing} that has stayed with you for so long?"
    return {**follows_up(asked)}
