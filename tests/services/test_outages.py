"""Parts of the site that go away and come back: nothing that was committed is lost."""

import asyncio
import json
import re
import time

from tests.fake_provider import FakeProvider
from tests.services.client import ENDED, STORY, Answered, Client, Talk, replies_to, told, whole
from tests.services.worlds import Production

# -- Redis


async def test_an_interview_that_ends_while_redis_is_down_gets_its_after_work_when_it_is_back(
    production: Production, production_client: Client
):
    talk = await production_client.start()
    await talk.say()
    production.redis.kill()
    try:
        began = time.monotonic()
        assert await talk.to_the_end() in ENDED
        assert time.monotonic() - began < 20
        assert await _status_of_summary(talk) == "pending"
        whole(await talk.entries())
    finally:
        production.redis.start()
    await _becomes_ready(talk)


async def test_a_stream_that_is_asked_for_while_redis_is_down_brings_the_reply(
    production: Production, production_client: Client
):
    talk = await production_client.start()
    production.redis.kill()
    try:
        events = await talk.stream(STORY, "down")
    finally:
        production.redis.start()
    assert events[-1].name == "done"
    assert told(events) == events[-1].data["message"]
    assert replies_to(await talk.entries(), STORY)


async def test_answers_are_taken_and_replied_to_while_redis_hangs(
    production: Production, production_client: Client
):
    talk = await production_client.start()
    with production.redis.frozen():
        began = time.monotonic()
        reply = await talk.say(STORY, "whole")
        assert reply.status == 200
        events = await talk.stream(f"{STORY} More.", "stream")
        assert told(events) == events[-1].data["message"]
        assert time.monotonic() - began < 25
    whole(await talk.entries())
    assert (await talk.stream(f"{STORY} Again.", "again"))[-1].name == "done"


async def test_interviews_go_on_while_redis_is_restarted(
    production: Production, production_client: Client
):
    talks = [await production_client.start(name=str(i)) for i in range(3)]
    playing = asyncio.gather(*(talk.to_the_end() for talk in talks))
    for _ in range(2):
        await asyncio.to_thread(production.redis.kill)
        await asyncio.sleep(0.2)
        await asyncio.to_thread(production.redis.start)
    assert set(await playing) == {"COMPLETED"}
    for talk in talks:
        whole(await talk.entries())
    for talk in talks:
        await _becomes_ready(talk)


# -- PostgreSQL


async def test_an_answer_after_all_connections_were_cut_is_taken(
    production: Production, production_client: Client
):
    talk = await production_client.start()
    for number in range(2):
        assert production.database.cut_all() > 0
        said = f"{STORY} {number}"
        began = time.monotonic()
        reply = await talk.say(said, f"m{number}")
        assert reply.status == 200, reply
        assert time.monotonic() - began < 8
        assert replies_to(await talk.entries(), said)
        if reply["status"] in ENDED:
            break


async def test_connections_cut_during_answers_cost_at_worst_a_clear_error(
    production: Production, production_client: Client, provider: FakeProvider
):
    provider.ttft = 0.15
    talks = [await production_client.start(name=str(i)) for i in range(4)]
    playing = asyncio.gather(*(_played(talk) for talk in talks))
    for _ in range(4):
        await asyncio.sleep(0.4)
        production.database.cut_all()
    for talk, sent in zip(talks, await playing, strict=True):
        entries = await talk.entries()
        whole(entries)
        assert [e["text"] for e in entries if e["role"] == "participant"] == sent


async def _played(talk: Talk, answers: int = 3) -> list[str]:
    sent = []
    for number in range(answers):
        sent.append(f"{STORY} {number}")
        reply = await _until_taken(talk, sent[-1], f"m{number}")
        if reply["status"] in ENDED:
            break
    return sent


async def _until_taken(talk: Talk, text: str, message_id: str) -> Answered:
    """Sends the same answer with the same id until there is a reply to it."""
    for attempt in range(60):
        reply = await (_streamed if attempt % 2 else Talk.say)(talk, text, message_id)
        if reply.status == 200 and reply["message"]:
            return reply
        if reply.status != 200:
            assert reply.status == 503, reply
            assert reply["error"] == "unavailable"
        await asyncio.sleep(0.1)
    raise AssertionError(f"never taken: {reply}")


async def _streamed(talk: Talk, text: str, message_id: str) -> Answered:
    headers = talk.headers | {"Accept": "text/event-stream"}
    reply = await talk.client.post("/api/chat", talk.body(text, message_id), headers)
    if reply.status != 200:
        return reply
    name, data = re.findall(r"event: (\w+)\ndata: (.*)", reply.body)[-1]
    assert name in ("done", "error"), reply
    found = json.loads(data)
    return Answered(200 if name == "done" else 503, {"message": "", **found})


# -- the after-work


async def _status_of_summary(talk: Talk) -> str:
    found = await talk.client.get(f"{talk.path}/reflections", talk.headers)
    return str(next(r["status"] for r in found["reflections"] if r["name"] == "summary"))


async def _becomes_ready(talk: Talk, seconds: float = 30) -> None:
    until = time.monotonic() + seconds
    while await _status_of_summary(talk) != "ready":
        assert time.monotonic() < until, "the summary is not made"
        await asyncio.sleep(0.1)
