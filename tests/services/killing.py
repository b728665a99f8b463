"""Five interviews, each held at another step of its turn, and the process killed under them."""

import asyncio
from dataclasses import dataclass

from tests.fake_provider import FakeProvider
from tests.readings import follows_up
from tests.services.client import STORY, Client, Talk
from tests.services.holds import Holds

LONG = "What did the mornings over the bakery sound like, and who was the first to be up? " * 3
HELD = ("recorded", "asking", "ready", "committed", "settling")  # settling holds SQLite's one lock
STEPS = ("mid_stream", *HELD)
ID = "answer"  # the message id of each answer that is under way


@dataclass(frozen=True)
class Cut:
    """An interview whose process dies at that step."""

    step: str
    talk: Talk
    before: int  # entries until then


async def under_way(client: Client, holds: Holds, provider: FakeProvider) -> list[Cut]:
    """Brings each interview to its step; the process may be killed then."""
    provider.reset()
    cuts = [await _begun(client, step) for step in STEPS]
    cut = cuts[0]
    provider.reply("LifeStoryLed", follows_up(LONG))
    provider.queue("stall:40@LifeStoryLed")
    heard = await cut.talk.stream(STORY, ID, most=1)
    assert [event.name for event in heard] == ["delta"]
    for cut in cuts[1:]:
        holds.ask(cut.talk.session_id, cut.step)
        posting = asyncio.ensure_future(cut.talk.say(STORY, ID))
        _forget(posting)
        await asyncio.to_thread(holds.wait, cut.talk.session_id, cut.step, posting)
    return cuts


async def _begun(client: Client, step: str) -> Cut:
    talk = await client.start(name=step)
    return Cut(step, talk, len(await talk.entries()))


def _forget(posting: "asyncio.Future[object]") -> None:
    """The connection breaks when the process is killed; that is meant."""
    posting.add_done_callback(lambda done: done.cancelled() or done.exception())
