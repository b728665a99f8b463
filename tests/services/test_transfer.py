"""A knowledge transfer whose process dies in the middle of a round, and goes on in another one."""

import asyncio
import time
from collections.abc import Iterator
from dataclasses import replace

import pytest

from tests.services.client import ENDED, Client, Talk, replies_to, whole
from tests.services.worlds import Production

BOT = "print-shop-handover"
WITHIN = 60.0  # seconds from the kill to the reply
STEPS = ("recorded", "asking", "ready", "settling", "committed")
ID = "answer"
TOLD = (
    "The rush factor covers the second shift: somebody stays until ten at night and is paid half "
    "as much again, and the small press has to be cleaned before it can take the rush order."
)
FACTS = (
    "SELECT count(*), count(DISTINCT number), coalesce(max(number), 0) FROM interviews_fact "
    "WHERE session_id = ?"
)
BACKLOG = "SELECT state FROM interviews_session WHERE id = ?"


@pytest.fixture
def dying(production: Production) -> Iterator[Production]:
    """The same site, whose first process comes back afterwards."""
    yield production
    production.holds.clear()
    production.sites[0].kill()
    production.sites[0].start()


@pytest.mark.parametrize("step", STEPS)
async def test_a_round_cut_by_a_kill_is_ended_once_by_another_process(
    dying: Production, http, step: str
):
    talk = await Client(http, dying.sites[0].url).start(BOT)
    before = len(await talk.entries())
    dying.holds.ask(talk.session_id, step)
    posting = asyncio.ensure_future(talk.say(TOLD, ID))
    posting.add_done_callback(lambda done: done.cancelled() or done.exception())
    await asyncio.to_thread(dying.holds.wait, talk.session_id, step)
    await asyncio.to_thread(dying.sites[0].kill)
    dying.holds.clear()

    taken_up = replace(talk, client=Client(http, dying.sites[1].url))
    await _answered(taken_up)
    entries = await taken_up.entries()
    whole(entries)
    assert len(entries) == before + 2
    assert (await taken_up.say(TOLD, ID))["message"] == "\n\n".join(replies_to(entries, TOLD))
    assert TOLD in str(dying.database.rows(BACKLOG, talk.session_id)[0][0])
    assert await taken_up.to_the_end() in ENDED
    count, numbers, last = dying.database.rows(FACTS, talk.session_id)[0]
    assert count == numbers == last  # none is lost and none is there twice


async def test_an_answer_after_days_is_taken_by_whichever_process_is_there(dying: Production, http):
    talk = await Client(http, dying.sites[0].url).start(BOT)
    await talk.say(TOLD)
    paused = await talk.press("pause")
    assert paused.status == 200
    for site in dying.sites:
        await asyncio.to_thread(site.kill)
    for site in dying.sites:
        await asyncio.to_thread(site.start)
    days = "UPDATE interviews_session SET paused_at = paused_at - interval '6 days' WHERE id = ?"
    assert dying.database.change(days, talk.session_id) == 1

    later = replace(talk, client=Client(http, dying.sites[1].url))
    open_question = (await later.state())["question"]
    reply = await later.say("I'd say the second shift was always the reason.")
    assert reply.status == 200
    whole(await later.entries())
    answered = [e for e in await later.entries() if e["question"] == open_question]
    assert len(answered) == 1


async def _answered(talk: Talk) -> None:
    until = time.monotonic() + WITHIN
    while (await talk.state())["status"] != "WAITING_ANSWER":
        assert time.monotonic() < until, "no reply in time"
        await asyncio.sleep(0.1)
