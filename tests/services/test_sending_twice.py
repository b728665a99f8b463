"""The same answer sent often, at once, to an old question, or over a line that breaks."""

import asyncio

from tests.fake_provider import FakeProvider
from tests.readings import follows_up
from tests.services.client import STORY, Client, Talk, replies_to, told, whole
from tests.services.processes import eventually
from tests.services.worlds import Embedded, Production

COUNT = "SELECT COUNT(*) FROM interviews_turn WHERE session_id = ? AND message_id = ?"
LED = (  # asked for the first time in a turn, by each model; what fails is asked once more
    "SELECT turn, COUNT(*) FROM llm_llmcall WHERE session = ? AND task = 'life_story.lead' "
    "AND attempt = 1 GROUP BY turn, model"
)
ASKED = (
    "You spoke of the bakery, and of the ovens that warmed the floor. Who got up first in the "
    "mornings, and what did you hear before you opened your eyes?"
)


async def test_twenty_posts_at_once_are_one_row_and_one_turn_of_the_model(
    modelled_client: Client, modelled: Embedded
):
    talk = await modelled_client.start()
    replies = await asyncio.gather(*(talk.say(STORY, "same") for _ in range(20)))
    assert {reply.status for reply in replies} == {200}
    assert len({reply["message"] for reply in replies}) == 1
    key = modelled.database.session_key(talk.session_id)
    assert modelled.database.rows(COUNT, key, "same") == [(1,)]
    await eventually(lambda: _led(modelled, talk))
    assert modelled.database.rows(LED, talk.session_id) == [(1, 1)]
    assert await talk.answers() == [STORY]


async def _led(modelled: Embedded, talk: Talk) -> bool:
    """Whether the log has come as far; it is written beside the turn."""
    return bool(modelled.database.rows(LED, talk.session_id))


async def test_twenty_posts_at_once_to_two_processes_are_one_turn(
    production_client: Client, production: Production
):
    talk = await production_client.start()
    replies = await asyncio.gather(*(talk.say(STORY, "same") for _ in range(20)))
    assert {reply.status for reply in replies} == {200}
    assert len({reply["message"] for reply in replies}) == 1
    assert production.database.rows(COUNT, talk.session_id, "same") == [(1,)]
    whole(await talk.entries())


async def test_other_words_with_a_used_id_change_nothing(embedded_client: Client):
    talk = await embedded_client.start()
    first = await talk.say(STORY, "one")
    again = await talk.say("Something else altogether.", "one")
    assert again["message"] == first["message"]
    assert await talk.answers() == [STORY]


async def test_a_line_cut_after_three_pieces_loses_and_doubles_nothing(
    modelled_client: Client, provider: FakeProvider
):
    talk = await modelled_client.start()
    provider.rate = 60
    led = follows_up(ASKED)
    provider.reply("LifeStoryLed", *[led] * 3)  # asked once more where the first word is slow
    before = await talk.stream(STORY, "once", most=3)
    assert [event.name for event in before] == ["delta"] * 3
    assert ASKED.startswith(told(before))
    after = await talk.stream(STORY, "once")
    assert after[-1].name == "done"
    assert told(after) == after[-1].data["message"] == ASKED
    assert replies_to(await talk.entries(), STORY) == [ASKED]


async def test_whoever_comes_late_to_a_stream_gets_the_whole_of_it(modelled_client: Client):
    talk = await modelled_client.start()
    first = await talk.stream(STORY, "once")
    again = await talk.stream(STORY, "once")
    assert told(first) == told(again) == first[-1].data["message"]
