"""One interview whose requests go to two web processes in turn."""

import asyncio

from tests.fake_provider import FakeProvider
from tests.readings import follows_up
from tests.services.client import STORY, Client, replies_to, told, whole
from tests.services.processes import wait_until
from tests.services.worlds import Production

ASKED = (
    "You spoke of the bakery, and of the ovens that warmed the floor. Who got up first in the "
    "mornings, and what did you hear before you opened your eyes?"
)


async def test_an_interview_whose_requests_alternate_ends_complete(
    production: Production, production_client: Client
):
    here, there = (Client(production_client.http, site.url) for site in production.sites)
    talk = await here.start()
    status = "WAITING_ANSWER"
    for number in range(30):
        talk.client = (there, here)[number % 2]
        events = await talk.stream(f"{STORY} {number}")
        assert events[-1].name == "done"
        assert told(events) == events[-1].data["message"]
        status = events[-1].data["status"]
        if status == "COMPLETED":
            break
    assert status == "COMPLETED"
    entries = await talk.entries()
    whole(entries)
    assert [e["text"] for e in entries if e["role"] == "participant"] == list(talk.given.values())


async def test_a_stream_in_one_process_follows_the_turn_that_runs_in_the_other(
    production: Production, production_client: Client, provider: FakeProvider
):
    here, there = (Client(production_client.http, site.url) for site in production.sites)
    talk = await here.start()
    provider.queue("drip:0.3@LifeStoryLed")
    provider.reply("LifeStoryLed", follows_up(ASKED))
    runs_here = asyncio.ensure_future(talk.say(STORY, "same"))
    await asyncio.to_thread(wait_until, lambda: provider.open)
    talk.client = there
    async with talk.streaming(STORY, "same") as events:
        first = await anext(events)
        provider.hurry()
        heard_there = [first, *[event async for event in events]]
    assert ASKED.startswith(told([first]))
    assert told([first]) != ASKED
    assert (await runs_here)["message"] == told(heard_there) == ASKED
    assert replies_to(await talk.entries(), STORY) == [ASKED]


async def test_the_one_address_serves_a_whole_interview(production_client: Client):
    talks = await asyncio.gather(*(production_client.start(name=str(i)) for i in range(4)))
    assert set(await asyncio.gather(*(talk.to_the_end() for talk in talks))) == {"COMPLETED"}
    for talk in talks:
        whole(await talk.entries())
