"""Sentences out of a stream, for a model that knows no streams."""

import asyncio
import math
import time
from array import array

import pytest

from interviews.participant.voice import local
from interviews.participant.voice.local import LINES, Local, is_quiet
from interviews.participant.voice.transcriber import RATE, SECOND, Failed

QUIET = bytes(SECOND)


def loud(seconds: float) -> bytes:
    """A hum."""
    samples = (int(8_000 * math.sin(i / 8)) for i in range(int(RATE * seconds)))
    return array("h", samples).tobytes()


class Model:
    """Says how many seconds of hum it was given."""

    def __init__(self) -> None:
        self.languages: list[str] = []

    def __call__(self, audio: bytes, language: str) -> str:
        self.languages.append(language)
        return f" {round(len(audio) / SECOND)} seconds "


async def heard_of(sound: bytes, model=None, language="en-GB", step=SECOND // 2):
    """Everything that is heard of that sound; it comes in pieces, as quickly as it is taken."""
    heard = []
    async with Local(lambda: model or Model()).open(language, RATE) as line:

        async def listen():
            heard.extend([(one.text, one.final) async for one in line.heard()])

        listening = asyncio.create_task(listen())
        for i in range(0, len(sound), step):
            await line.send(sound[i : i + step])
            await asyncio.sleep(0.02)
        await line.finish()
        await listening
    return [one for one in heard if one[0]]


async def test_words_grow_and_a_rest_makes_them_final():
    heard = await heard_of(loud(2) + QUIET + loud(1) + QUIET)
    finals = [text for text, final in heard if final]
    assert heard[0] == ("1 seconds", False)
    assert len(finals) == 2
    assert any(not final for _, final in heard)


async def test_the_end_makes_the_last_words_final():
    assert (await heard_of(loud(1.5)))[-1] == ("2 seconds", True)


async def test_an_end_in_the_middle_of_a_look_loses_nothing():
    def slow(audio, language):
        time.sleep(0.3)
        return Model()(audio, language)

    heard = await heard_of(loud(3), slow, step=SECOND)
    assert heard[-1] == ("3 seconds", True)


async def test_silence_is_given_to_no_model():
    model = Model()
    assert await heard_of(QUIET * 5, model) == []
    assert model.languages == []


async def test_a_sentence_without_rest_ends_anyhow():
    heard = await heard_of(loud(45), step=SECOND)
    assert next(text for text, final in heard if final) == "20 seconds"


async def test_the_model_is_told_the_language_without_its_country():
    model = Model()
    await heard_of(loud(1), model)
    assert set(model.languages) == {"en"}


async def test_who_speaks_faster_than_it_hears_waits(monkeypatch):
    monkeypatch.setattr(local, "BEHIND", 2 * SECOND)
    async with Local(lambda: Model()).open("en", RATE) as line:
        await line.send(loud(2))
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(line.send(loud(1)), 0.2)
        await line.finish()
        assert [heard.text async for heard in line.heard()] == ["2 seconds"]
        await asyncio.wait_for(line.send(loud(1)), 5)


async def test_lines_are_few_and_come_back():
    provider = Local(lambda: Model())
    open_lines = [provider.open("en", RATE) for _ in range(LINES)]
    for line in open_lines:
        await line.__aenter__()
    with pytest.raises(Failed, match="busy"):
        async with provider.open("en", RATE):
            pass
    for line in open_lines:
        await line.__aexit__(None, None, None)
    async with provider.open("en", RATE):
        pass


async def test_a_model_that_can_t_be_read():
    def load():
        raise OSError("no such folder")

    with pytest.raises(Failed, match=r"away.*OSError"):
        async with Local(load).open("en", RATE):
            pass


async def test_a_model_that_fails_says_nothing_of_what_was_said():
    def fail(audio, language):
        raise ValueError("the secret words")

    with pytest.raises(Failed, match="away") as failed:
        await heard_of(loud(2), fail)
    assert "secret" not in str(failed.value)


async def test_it_is_read_once():
    loads = []

    def load():
        loads.append(1)
        return Model()

    provider = Local(load)
    for _ in range(3):
        async with provider.open("en", RATE):
            pass
    assert loads == [1]


def test_what_is_quiet():
    assert is_quiet(QUIET)
    assert is_quiet(b"")
    assert not is_quiet(QUIET + loud(0.2))
