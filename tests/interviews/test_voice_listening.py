"""From a microphone's frames to words: what is bounded, and what ends it."""

import asyncio
from contextlib import asynccontextmanager

import pytest

from interviews.participant.voice import dictation
from interviews.participant.voice.dictation import AHEAD, EVERY, FRAME, WAITING, Dictation
from interviews.participant.voice.transcriber import Failed, SpeechResult

TENTH = b"\x01\x00" * 1_600


class Line:
    """A line that behaves as a test wishes, and a provider of just this one."""

    def __init__(self, **behaviour) -> None:
        self.behaviour = behaviour
        self.sent: list[bytes] = []
        self.alive = 0
        self.closed = False
        self._heard: asyncio.Queue[SpeechResult | None] = asyncio.Queue()

    @asynccontextmanager
    async def open(self, language, rate):
        await asyncio.sleep(self.behaviour.get("opening", 0))
        try:
            yield self
        finally:
            self.closed = True

    async def send(self, audio):
        await asyncio.sleep(self.behaviour.get("sending", 0))
        self.sent.append(audio)
        if not self.behaviour.get("silent"):
            self._heard.put_nowait(SpeechResult(f"{len(self.sent)} words"))
        if len(self.sent) == self.behaviour.get("ends_after"):
            self._heard.put_nowait(None)

    async def keep_alive(self):
        self.alive += 1

    async def finish(self):
        if not self.behaviour.get("endless"):
            self._heard.put_nowait(SpeechResult("the last", True))
            self._heard.put_nowait(None)

    async def heard(self):
        while (heard := await self._heard.get()) is not None:
            yield heard


class Page:
    """What a page is told."""

    def __init__(self) -> None:
        self.told: list[dict] = []
        self.listening = Dictation(self.tell)

    async def tell(self, news):
        self.told.append(news)

    def words(self):
        return [(one["text"], one["final"]) for one in self.told if one["kind"] == "heard"]


@pytest.fixture
def patience(monkeypatch):
    """What takes seconds takes hundredths."""
    for name, seconds in {
        "OPENING": 0.2,
        "QUIET": 0.05,
        "IDLE": 0.15,
        "STALLED": 0.1,
        "SENDING": 0.2,
        "LAST": 0.2,
    }.items():
        monkeypatch.setattr(dictation, name, seconds)


async def test_sound_goes_in_and_words_come_out():
    line, seen = Line(), Page()
    for _ in range(3):
        seen.listening.take(TENTH)
    seen.listening.stop()
    await seen.listening.run(line, "en")
    assert seen.told[0] == {"kind": "ready"}
    assert seen.words() == [
        ("1 words", False),
        ("2 words", False),
        ("3 words", False),
        ("the last", True),
    ]
    assert line.sent == [TENTH] * 3
    assert line.closed


async def test_the_page_is_told_how_much_was_taken():
    seen = Page()
    for _ in range(2 * EVERY + 3):
        seen.listening.take(TENTH)
    seen.listening.stop()
    await seen.listening.run(Line(), "en")
    taken = [one["frames"] for one in seen.told if one["kind"] == "taken"]
    assert taken == [EVERY, 2 * EVERY]


@pytest.mark.parametrize("frame", [b"", b"\x00", b"\x00" * (FRAME + 2)])
async def test_what_is_no_frame_is_refused(frame):
    with pytest.raises(Failed, match="noisy"):
        Page().listening.take(frame)


async def test_frames_that_nobody_waits_for_are_bounded():
    seen = Page()
    for _ in range(WAITING):
        seen.listening.take(TENTH)
    with pytest.raises(Failed, match="noisy"):
        seen.listening.take(TENTH)


async def test_sound_does_not_come_faster_than_it_is_spoken(patience):
    seen = Page()
    running = asyncio.create_task(seen.listening.run(Line(), "en"))
    with pytest.raises(Failed, match="noisy"):
        for _ in range(10 * AHEAD + 50):
            seen.listening.take(TENTH)
            await asyncio.sleep(0)
    running.cancel()


@pytest.mark.parametrize(
    ("behaviour", "code"),
    [
        ({"opening": 5}, "away"),
        ({"sending": 5}, "slow"),
        ({"silent": True}, "stalled"),
        ({"ends_after": 2}, "cut"),
    ],
)
async def test_a_line_that_misbehaves(patience, behaviour, code):
    line, seen = Line(**behaviour), Page()
    running = asyncio.create_task(seen.listening.run(line, "en"))
    for _ in range(30):
        if running.done():
            break
        seen.listening.take(TENTH)
        await asyncio.sleep(0.02)
    with pytest.raises(Failed, match=code):
        await running
    assert line.closed or code == "away"


async def test_a_page_that_falls_silent_is_kept_alive_for_a_while(patience):
    line, seen = Line(), Page()
    seen.listening.take(TENTH)
    with pytest.raises(Failed, match="fallen silent"):
        await seen.listening.run(line, "en")
    assert line.alive >= 2
    assert line.closed


async def test_last_words_that_never_come_are_not_awaited_for_ever(patience):
    line, seen = Line(endless=True), Page()
    seen.listening.take(TENTH)
    seen.listening.stop()
    await seen.listening.run(line, "en")
    assert seen.words() == [("1 words", False)]
    assert line.closed


async def test_whoever_is_cancelled_closes_the_line():
    line, seen = Line(), Page()
    seen.listening.take(TENTH)
    running = asyncio.create_task(seen.listening.run(line, "en"))
    for _ in range(500):
        if seen.words():
            break
        await asyncio.sleep(0.01)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert line.closed
