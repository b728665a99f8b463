"""Deepgram's streaming recognition, using its SDK."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

from deepgram import AsyncDeepgramClient, DeepgramClientEnvironment
from deepgram.core.api_error import ApiError
from django.conf import settings
from websockets.exceptions import ConnectionClosed, WebSocketException

from interviews.participant.voice.transcriber import Failed, SpeechResult

OPENING = 10.0  # seconds
UNKNOWN_LANGUAGE = 400  # bad request: the model lacks the language


class Deepgram:
    def __init__(self, key: str, url: str, model: str) -> None:
        """`url` begins with wss:// and has no path; `model` is one of theirs, as nova-3."""
        urls = DeepgramClientEnvironment(base=url, production=url, agent=url, agent_rest=url)
        self._client = AsyncDeepgramClient(api_key=key, environment=urls)
        self._model = model

    @asynccontextmanager
    async def open(self, language: str, rate: int) -> AsyncIterator["DeepgramLine"]:
        """Open a connection. Raises Failed: away, language."""
        async with AsyncExitStack() as stack:
            try:
                async with asyncio.timeout(OPENING):
                    socket = await stack.enter_async_context(self._connect(language, rate))
            except ApiError as error:
                code = "language" if error.status_code == UNKNOWN_LANGUAGE else "away"
                raise Failed(code, f"Deepgram answered {error.status_code}") from None
            except (OSError, TimeoutError, WebSocketException) as error:
                raise Failed("away", type(error).__name__) from None
            yield DeepgramLine(socket)

    def _connect(self, language: str, rate: int) -> Any:
        return self._client.listen.v1.connect(
            model=self._model,
            language=language,
            encoding="linear16",
            sample_rate=rate,
            channels=1,
            interim_results=True,
            smart_format=True,
            mip_opt_out=True,  # opt out of model training with participants' voices
        )


class DeepgramLine:
    def __init__(self, socket: Any) -> None:
        self._socket = socket
        self._finished = False

    async def send(self, audio: bytes) -> None:
        await self._call(self._socket.send_media(audio))

    async def keep_alive(self) -> None:
        """Deepgram closes after ten seconds of silence. Raises Failed: cut."""
        await self._call(self._socket.send_keep_alive())

    async def finish(self) -> None:
        self._finished = True
        await self._call(self._socket.send_finalize())
        await self._call(self._socket.send_close_stream())

    async def heard(self) -> AsyncIterator[SpeechResult]:
        try:
            async for message in self._socket:
                if getattr(message, "type", "") == "Error":
                    raise Failed("away", "Deepgram sent an error")
                if (result := _parse(message)) is not None:
                    yield result
        except ConnectionClosed as closed:
            raise Failed("cut", type(closed).__name__) from None
        if not self._finished:
            raise Failed("cut", "Deepgram closed")

    async def _call(self, sending: Any) -> None:
        try:
            await sending
        except ConnectionClosed as closed:
            if not self._finished:
                raise Failed("cut", type(closed).__name__) from None


def _parse(message: Any) -> SpeechResult | None:
    """Return a message's text. The SDK checks no types, so malformed messages give None."""
    if getattr(message, "type", "") != "Results":
        return None
    try:
        text = message.channel.alternatives[0].transcript
    except (AttributeError, IndexError, TypeError):
        return None
    return SpeechResult(text.strip(), message.is_final is True) if isinstance(text, str) else None


def make() -> Deepgram:
    model = settings.DICTATION_MODEL or "nova-3"
    return Deepgram(settings.DEEPGRAM_API_KEY, settings.DEEPGRAM_URL, model)
