"""How long a participant waits for the first word, against one call to the model.

The provider is the fake one, as a process, asked through the real SDK; both the call that is
compared with and the interviews run against it.
"""

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import aiohttp
from django.conf import settings

from interviews.models import Turn
from interviews.protocols.life_story.tasks import PLAN, PlanInput
from interviews.protocols.topic_exploration.tasks import REPLY, TopicReplyInput
from llm.concurrency.threads import in_database
from tests.bench import assessing, climbing, handing_over
from tests.bench.asking import between, first_word, queue
from tests.bench.client import Heard, Participant
from tests.bench.figures import Figure, median, p95
from tests.bench.processes import requests
from tests.browser.site import Site
from tests.conftest import make_bot, make_topic_bot
from tests.readings import READ

STORY = (
    "We lived over a bakery in Riga, the five of us in two rooms, and I remember how the floor was "
    "warm under our feet on winter mornings when the ovens below had been lit at three."
)
EXPLORING = 8  # turns; the bench's bot has nine sub-goals
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
FOLLOW_UP = {
    **READ,
    "action": "FOLLOW_UP",
    "next_utterance": "",  # filled in, since no question is asked twice
    "transition": "",
    "assessment": "There is more to tell.",
    "reason": "a scene was only named",
}
NEXT = {**FOLLOW_UP, "action": "NEXT_QUESTION", "assessment": "The objective is met."}
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
        before = await requests(http, url)
        heard = await _interview(http, url, site, turns)
        calls = await requests(http, url) - before
        one_reply = [await _one_reply(http, url, i) for i in times]
        explored = await _explored(http, url, site, turns, BEGINNINGS)
        alike = await _explored(http, url, site, turns, BEGINNINGS[:1])
        assessed = await assessing.measure(http, url, site, turns, reading)
        climbed = await climbing.measure(http, url, site, turns, reading)
        handed_over = await handing_over.measure(http, url, site, turns, reading)
    taken_back = await in_database(_taken_back)
    return [
        taken_back,
        *_figures(median(one_call), heard, calls),
        _wait("topic exploration: wait ÷ one main call", median(one_reply), explored),
        _wait("the same where all questions begin alike", median(one_reply), alike),
        *assessed,
        *handed_over,
        *climbed,
    ]


def _taken_back() -> Figure:
    done = Turn.objects.filter(status=Turn.Status.DONE, number__gt=0)
    turns = done.filter(session__bot__slug__startswith="bench")  # the others had no model
    share = turns.filter(decision__taken_back__gt=0).count() / turns.count()
    return Figure("turns whose shown words were taken back, of 200", 200 * share, "turns", "≤ 1")


def _wait(name: str, one: float, heard: list[Heard]) -> Figure:
    return Figure(name, median([h.first for h in heard]) / one, "x", "≤ 1.15")


async def _explored(
    http: aiohttp.ClientSession, url: str, site: str, turns: int, begin: Sequence[str]
) -> list[Heard]:
    """Topic explorations, as far as every turn is one call: before their topics are exhausted."""
    person, heard = Participant(http, site), []
    for number in range(turns):
        if number % EXPLORING == 0:
            await person.start("bench-topics")
        await queue(http, url, _reply(number, begin), "Reply")
        heard.append(await person.say(f"{STORY} And once more, {number}."))
    return heard


def _figures(one: float, heard: list[Heard], calls: int) -> list[Figure]:
    waits = {
        kind: [h.first for h in heard if h.kind == kind]
        for kind in ("follow_up", "scripted_question")
    }
    added = [1000 * (h.first - one) for h in heard]
    return [
        Figure(
            "wait for a follow-up ÷ one main call", median(waits["follow_up"]) / one, "x", "≤ 1.15"
        ),
        Figure(
            "wait for the next question ÷ one main call",
            median(waits["scripted_question"]) / one,
            "x",
            "≤ 1.15",
        ),
        Figure("added wait, p95 ÷ one main call", p95(added) / (1000 * one), "x", ""),
        Figure("model calls a turn (notes, planner, next question)", calls / len(heard), "calls"),
    ]


@contextmanager
def _site(provider_url: str) -> Iterator[Site]:
    """A site of its own process on this bench's database."""
    make_bot(40, slug="bench")
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
    await queue(http, url, _follow_up(number), "Plan")
    return await first_word(PLAN, _plan_input(), "next_utterance")


async def _reading(http: aiohttp.ClientSession, url: str, number: int) -> float:
    """Seconds that the reading takes, in whatever call they come first."""
    await queue(http, url, _follow_up(number), "Plan")
    return await between(PLAN, _plan_input(), "heard", "action")


def _plan_input() -> PlanInput:
    return PlanInput(
        persona="A calm interviewer.",
        language="en",
        notes={},
        question="What was your first home like?",
        objective="the first home",
        guidance="-",
        followups=0,
        ceiling=3,
        minutes_left=3,
        closed=[],
        coming=[],
        probes=[],
        answer=STORY,
    )


async def _one_reply(http: aiohttp.ClientSession, url: str, number: int) -> float:
    """The same for the one call of a topic exploration."""
    await queue(http, url, _reply(number, BEGINNINGS), "Reply")
    data = TopicReplyInput(
        **dict.fromkeys(("persona", "accepts", "context", "target", "manner"), "-"),
        **{name: ["-"] for name in ("goals", "known", "closed", "openings")},
        **dict.fromkeys(("knowledge", "question", "answer"), "-"),
        language="en",
    )
    return await first_word(REPLY, data, "utterance")


def _reply(number: int, begin: Sequence[str]) -> dict[str, object]:
    thing = THINGS[number % len(THINGS)]
    begun = begin[number % len(begin)].format(thing)
    asked = f"{begun} in the year {1950 + number}, and what do you see first?"
    return READ | {"utterance": asked, "facts": [], "met": []}


async def _interview(http: aiohttp.ClientSession, url: str, site: str, turns: int) -> list[Heard]:
    """Follow-ups and next questions in turn; the first turn, which has no notes, is left out."""
    person, heard = Participant(http, site), []
    for number in range(turns + 1):
        if number % 16 == 0:
            await person.start("bench")
            await queue(http, url, NEXT, "Plan")
            await person.say(STORY)
        await queue(http, url, _follow_up(number) if number % 2 else NEXT, "Plan")
        heard.append(await person.say(f"{STORY} And once more, {number}."))
    return heard


def _follow_up(number: int) -> dict[str, object]:
    thing = THINGS[number // 2 % len(THINGS)]  # each once in an interview
    return {
        **FOLLOW_UP,
        "next_utterance": f"You spoke of {thing}. What was it about {thing} that has stayed with "
        "you for so long?",
    }
