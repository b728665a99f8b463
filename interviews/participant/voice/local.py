"""A model on this machine (faster-whisper): an optional part of the site.

Whisper knows whole sentences and no streams. So what was said since the last rest is recognised
again and again while it grows, which is provisional, and once more at a rest, which is final.
"""

import asyncio
from array import array
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from importlib import import_module
from importlib.util import find_spec
from typing import TypeVar

from django.conf import settings

from interviews.participant.voice.transcriber import SECOND, Failed, SpeechResult

PACKAGE = "faster_whisper"
LINES = 4  # at once; they share one thread
STEP = SECOND  # so much new sound is worth another look
REST = int(0.7 * SECOND) // 2 * 2  # so long a quiet ends a sentence
ONSET = int(0.3 * SECOND) // 2 * 2  # kept of a quiet: a word begins more softly than it goes on
LONGEST = 20 * SECOND  # then a sentence ends anyhow
BEHIND = 40 * SECOND  # with so much unheard, no more is taken until some is
QUIET = 350  # mean amplitude, of 32,767, below which nobody speaks
OPENING = 25.0  # seconds for the model to be read, the first time

Recognise = Callable[[bytes, str], str]
Listener = Callable[[bytes, str], Awaitable[str]]
T = TypeVar("T")


class Local:
    """A provider: one model, one thread, few lines."""

    def __init__(self, load: Callable[[], Recognise]) -> None:
        """`load` gives what turns sound of a language into text; called in the thread, once."""
        self._load = load
        self._thread = ThreadPoolExecutor(1, "dictation")
        self._recognise: Recognise | None = None
        self._lines = 0

    @asynccontextmanager
    async def open(self, language: str, rate: int) -> AsyncIterator["LocalLine"]:
        """A line; the rate is always that of `hearing`. Raises Failed: away, busy."""
        if self._lines >= LINES:
            raise Failed("busy")
        self._lines += 1
        try:
            await self._loaded()
            yield LocalLine(self._text, language.split("-")[0])
        finally:
            self._lines -= 1

    async def _loaded(self) -> None:
        try:
            await asyncio.wait_for(self._in_thread(self._loaded_here), OPENING)
        except Exception as error:
            raise Failed("away", f"the model can't be read: {type(error).__name__}") from error

    async def _text(self, audio: bytes, language: str) -> str:
        try:
            return await self._in_thread(lambda: self._loaded_here()(audio, language).strip())
        except Exception as error:
            raise Failed("away", f"the model failed: {type(error).__name__}") from error

    def _in_thread(self, work: Callable[[], T]) -> "asyncio.Future[T]":
        return asyncio.get_running_loop().run_in_executor(self._thread, work)

    def _loaded_here(self) -> Recognise:
        self._recognise = self._recognise or self._load()
        return self._recognise


class LocalLine:
    """One speaker's sound since the last rest."""

    def __init__(self, recognise: Listener, language: str) -> None:
        self._recognise = recognise
        self._language = language
        self._sound = bytearray()
        self._seen = 0  # bytes of it that were recognised, provisionally
        self._finished = False
        self._more = asyncio.Event()
        self._room = asyncio.Event()
        self._room.set()

    async def send(self, audio: bytes) -> None:
        """Sound; waits while too much is unheard."""
        await self._room.wait()
        self._sound += audio
        self._more.set()
        if len(self._sound) >= BEHIND:
            self._room.clear()

    async def keep_alive(self) -> None:
        """Nothing goes to sleep here."""

    async def finish(self) -> None:
        """What is there is the last."""
        self._finished = True
        self._more.set()

    async def heard(self) -> AsyncIterator[SpeechResult]:
        """Words; ends after `finish`. Raises Failed: away."""
        while not self._finished:
            await self._more.wait()
            self._more.clear()
            if len(self._sound) - self._seen >= STEP:
                yield await self._look()
        while self._sound:
            yield await self._look()

    async def _look(self) -> SpeechResult:
        part = bytes(self._sound[:LONGEST])
        last = self._finished  # as of now: it may become so while this part is recognised
        final = last or len(part) == LONGEST or is_quiet(part[-REST:])
        spoken = not is_quiet(part)
        text = await self._recognise(part, self._language) if spoken else ""
        self._seen = len(part)
        if last or (final and spoken):
            self._forget(len(part))
        elif not spoken:
            self._forget(max(0, len(part) - ONSET))
        return SpeechResult(text, final)

    def _forget(self, size: int) -> None:
        del self._sound[:size]
        self._seen = 0
        self._more.set()
        self._room.set()


def is_quiet(audio: bytes) -> bool:
    """Whether nobody speaks in any tenth of a second of it."""
    samples, size = array("h", audio), SECOND // 20
    return all(_loudness(samples[i : i + size]) < QUIET for i in range(0, len(samples), size))


def _loudness(samples: "array[int]") -> float:
    return sum(map(abs, samples)) / len(samples)


def installed() -> bool:
    """Whether the optional part is there."""
    return find_spec(PACKAGE) is not None


def packaged() -> Recognise:
    """faster-whisper with the model that the settings name. Raises what it raises."""
    numpy = import_module("numpy")
    name = settings.DICTATION_MODEL or "small"
    model = import_module(PACKAGE).WhisperModel(name, device="cpu", compute_type="int8")

    def recognise(audio: bytes, language: str) -> str:
        samples = numpy.frombuffer(audio, dtype="<i2").astype("float32") / 32_768
        segments, _ = model.transcribe(
            samples,
            language=language,
            beam_size=1,
            condition_on_previous_text=False,
            without_timestamps=True,
        )
        return " ".join(segment.text.strip() for segment in segments)

    return recognise


def make() -> Local:
    return Local(packaged)
