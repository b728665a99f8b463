"""Deepgram's SDK against a server that speaks its wire format."""

import asyncio

import pytest

from interviews.participant.voice import deepgram
from interviews.participant.voice.deepgram import Deepgram
from interviews.participant.voice.transcriber import RATE, Failed
from tests.fake_speech import KEY, FakeSpeech

TENTH = b"\x01\x00" * 1_600


@pytest.fixture
def fake():
    with FakeSpeech("By the river, in a small house.", "It was warm.") as speech:
        yield speech


def provider(fake, key=KEY, url=""):
    return Deepgram(key, url or fake.url, "nova-3")


async def spoken(fake, tenths: int, finish: bool = True):
    """What is heard of so much sound."""
    async with provider(fake).open("en", RATE) as line:
        for _ in range(tenths):
            await line.send(TENTH)
        if finish:
            await line.finish()
        return [(heard.text, heard.final) async for heard in line.heard()]


async def test_words_are_provisional_until_they_are_final(fake):
    heard = await spoken(fake, 10)
    assert heard[:3] == [("By", False), ("By the", False), ("By the river,", False)]
    assert [text for text, final in heard if final] == [
        "By the river, in a small house.",
        "It was warm.",
        "",
    ]


async def test_it_is_asked_for_what_the_interview_needs(fake):
    await spoken(fake, 1)
    asked = fake.lines[0].asked
    assert asked["model"] == "nova-3"
    assert (asked["language"], asked["encoding"], asked["sample_rate"]) == (
        "en",
        "linear16",
        "16000",
    )
    assert (asked["interim_results"], asked["mip_opt_out"]) == ("true", "true")
    assert fake.lines[0].sound == len(TENTH)


async def test_finishing_makes_half_a_phrase_final(fake):
    heard = await spoken(fake, 3)
    assert heard[-1] == ("By the river,", True)
    assert fake.lines[0].messages == ["Finalize", "CloseStream"]
    assert not fake.lines[0].open


async def test_a_pause_is_announced(fake):
    async with provider(fake).open("en", RATE) as line:
        await line.keep_alive()
        await line.finish()
        assert [heard async for heard in line.heard()][-1].text == ""
    assert fake.lines[0].messages[0] == "KeepAlive"


@pytest.mark.parametrize(
    ("fault", "code"),
    [("unauthorized", "away"), ("poor", "away"), ("broken", "away"), ("bad", "language")],
)
async def test_a_refusal_has_a_code_and_no_key_in_it(fake, fault, code):
    fake.fault = fault
    with pytest.raises(Failed) as failed:
        await spoken(fake, 1)
    assert failed.value.code == code
    assert KEY not in repr(failed.value) + str(failed.value.__cause__)


async def test_a_wrong_key_is_refused(fake):
    with pytest.raises(Failed, match=r"away.*401"):
        async with provider(fake, key="another").open("en", RATE):
            pass


async def test_nobody_there(fake):
    with pytest.raises(Failed, match="away"):
        async with provider(fake, url="ws://127.0.0.1:9").open("en", RATE):
            pass


async def test_a_handshake_that_never_ends(fake, monkeypatch):
    monkeypatch.setattr(deepgram, "OPENING", 0.3)
    fake.fault = "mute"
    with pytest.raises(Failed, match="away"):
        async with provider(fake).open("en", RATE):
            pass


@pytest.mark.parametrize(("fault", "code"), [("error", "away"), ("cut", "cut"), ("bye", "cut")])
async def test_what_was_heard_before_a_fault_is_told(fake, fault, code):
    fake.fault = fault
    heard = []
    async with provider(fake).open("en", RATE) as line:
        for _ in range(3):
            await line.send(TENTH)
        with pytest.raises(Failed, match=code):
            async for one in line.heard():
                heard.append(one.text)
    assert heard == ["By", "By the"]


async def test_rubbish_says_nothing(fake):
    fake.fault = "rubbish"
    heard = await spoken(fake, 2)
    assert [text for text, _ in heard] == ["By", "By the", "By the"]


async def test_sound_for_a_line_that_was_cut(fake):
    fake.fault = "cut"
    async with provider(fake).open("en", RATE) as line:
        with pytest.raises(Failed, match="cut"):
            for _ in range(200):
                await line.send(TENTH)
                await asyncio.sleep(0.01)
