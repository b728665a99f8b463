"""A model on this machine (faster-whisper), an optional part of the site.

Whisper recognises whole sentences, not streams. So the sound since the last silence is recognised
again and again while it grows (provisional), and once more at a silence (final).
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
# In bytes of sound:
STEP = SECOND  # new sound until it is recognised again
REST = int(0.7 * SECOND) // 2 * 2  # silence that ends a sentence
ONSET = int(0.3 * SECOND) // 2 * 2  # kept of a silence, since words begin softly
LONGEST = 20 * SECOND  # of a sentence
BEHIND = 40 * SECOND  # unrecognised sound until `send` waits
QUIET = 350  # mean amplitude, of 32,767, below which nobody speaks
OPENING = 25.0  # seconds to load the model the first time

Recognise = Callable[[bytes, str], str]
Listener = Callable[[bytes, str], Awaitable[str]]
T = TypeVar("T")


class Local:
    """A provider with one model, one thread and few lines."""

    def __init__(self, load: Callable[[], Recognise]) -> None:
        """`load` returns the function that recognises sound; called once, in the thread."""
        self._load = load
        self._thread = ThreadPoolExecutor(1, "dictation")
        self._recognise: Recognise | None = None
        self._lines = 0

    @asynccontextmanager
    async def open(self, language: str, rate: int) -> AsyncIterator["LocalLine"]:
        """Open a line; the rate is always `transcriber.RATE`. Raises Failed: away, busy."""
        if self._lines >= LINES:
            raise Failed("busy")
        self._lines += 1
        try:
            await self._ensure_loaded()
            yield LocalLine(self._transcribe, language.split("-")[0])
        finally:
            self._lines -= 1

    async def _ensure_loaded(self) -> None:
        try:
            await asyncio.wait_for(self._in_thread(self._model), OPENING)
        except Exception as error:
            raise Failed("away", f"the model can't be read: {type(error).__name__}") from error

    async def _transcribe(self, audio: bytes, language: str) -> str:
        try:
            return await self._in_thread(lambda: self._model()(audio, language).strip())
        except Exception as error:
            raise Failed("away", f"the model failed: {type(error).__name__}") from error

    def _in_thread(self, work: Callable[[], T]) -> "asyncio.Future[T]":
        return asyncio.get_running_loop().run_in_executor(self._thread, work)

    def _model(self) -> Recognise:
        self._recognise = self._recognise or self._load()
        return self._recognise


class LocalLine:
    """One speaker's sound since the last silence."""

    def __init__(self, recognise: Listener, language: str) -> None:
        self._recognise = recognise
        self._language = language
        self._sound = bytearray()
        self._seen = 0  # bytes of it recognised provisionally
        self._finished = False
        self._more = asyncio.Event()
        self._room = asyncio.Event()
        self._room.set()

    async def send(self, audio: bytes) -> None:
        await self._room.wait()
        self._sound += audio
        self._more.set()
        if len(self._sound) >= BEHIND:
            self._room.clear()

    async def keep_alive(self) -> None:
        pass

    async def finish(self) -> None:
        self._finished = True
        self._more.set()

    async def heard(self) -> AsyncIterator[SpeechResult]:
        while not self._finished:
            await self._more.wait()
            self._more.clear()
            if len(self._sound) - self._seen >= STEP:
                yield await self._recognise_part()
        while self._sound:
            yield await self._recognise_part()

    async def _recognise_part(self) -> SpeechResult:
        part = bytes(self._sound[:LONGEST])
        last = self._finished  # read now: it may change while this part is recognised
        final = last or len(part) == LONGEST or is_quiet(part[-REST:])
        spoken = not is_quiet(part)
        text = await self._recognise(part, self._language) if spoken else ""
        self._seen = len(part)
        if last or (final and spoken):
            self._drop(len(part))
        elif not spoken:
            self._drop(max(0, len(part) - ONSET))
        return SpeechResult(text, final)

    def _drop(self, size: int) -> None:
        del self._sound[:size]
        self._seen = 0
        self._more.set()
        self._room.set()


def is_quiet(audio: bytes) -> bool:
    samples, size = array("h", audio), SECOND // 20  # samples: a tenth of a second
    parts = (samples[start : start + size] for start in range(0, len(samples), size))
    return all(sum(map(abs, part)) / len(part) < QUIET for part in parts)


def is_installed() -> bool:
    return find_spec(PACKAGE) is not None


def load_model() -> Recognise:
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
    return Local(load_model)
