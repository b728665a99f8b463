"""The stream of a reply, for who hears all of it and for who comes in the middle."""

import asyncio
import json
from uuid import uuid4

import pytest
from channels.layers import get_channel_layer

from interviews.api import stream
from interviews.turns import events


def test_what_is_told_adds_up_to_the_newest_text():
    said = stream._StreamedReply()
    told = [said.update(text) for text in ("Who", "Who was", "Who was", "Where", "Where?")]
    assert [_read(event) for event in told if event] == [
        ("delta", "Who"),
        ("delta", " was"),
        ("replace", "Where"),
        ("delta", "?"),
    ]


def test_who_comes_in_the_middle_hears_it_from_the_beginning():
    late = stream._StreamedReply()
    assert _read(late.update("Who was there, and")) == ("delta", "Who was there, and")


async def test_every_draft_holds_all_that_is_written_so_far(monkeypatch):
    sent: list[events.Draft] = []

    async def heard(session_id, draft):
        sent.append(draft)

    monkeypatch.setattr(events, "send_draft", heard)
    draft = events.DraftStream(None, 7)
    for text in ("Who", "Who was", "Where"):
        draft.show(text)
        await draft._sender
    await draft.close()
    assert sent == [events.Draft(7, "Who"), events.Draft(7, "Who was"), events.Draft(7, "Where")]
    assert draft.taken_back == 1


@pytest.mark.parametrize(
    ("shown", "said", "taken_back"),
    [
        (["Who", "Who was there?"], "That is a lot.\nWho was there?", 0),
        (["Who", "Who was there?"], "Where was it?", 1),
        ([], "Where was it?", 0),
    ],
)
async def test_words_that_were_shown_and_not_said_are_counted(monkeypatch, shown, said, taken_back):
    async def heard(session_id, draft):
        pass

    monkeypatch.setattr(events, "send_draft", heard)
    draft = events.DraftStream(None, 7)
    for text in shown:
        draft.show(text)
        await draft._sender
    draft.settle(said)
    assert draft.taken_back == taken_back


async def test_a_stream_that_is_cut_leaves_nothing_in_the_channel_layer():
    layer, done = get_channel_layer(), asyncio.get_running_loop().create_future()
    before = set(layer.channels)
    async with events.subscription(uuid4()) as news:
        follows = asyncio.ensure_future(anext(stream._until_done(done, news)))
        await asyncio.sleep(0.01)
        follows.cancel()
        await asyncio.gather(follows, return_exceptions=True)
    await asyncio.sleep(0.01)
    assert set(layer.channels) == before


def _read(event: str) -> tuple[str, str]:
    name, data = event.strip().split("\n")
    return name.removeprefix("event: "), json.loads(data.removeprefix("data: "))["text"]
