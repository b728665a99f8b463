"""The websocket of a microphone: sound comes in, words go out. Nothing of either is kept.

A page sends frames of sound (see `hearing`), and "stop" when it has no more. It is told, as JSON,
what `listening` says; at the end `done` with a code: empty, `long` (one listening's time is over)
or what went wrong: spent, over, elsewhere, or a code of `hearing`.
"""

import asyncio
import json
import logging
import time
from contextlib import suppress
from typing import Any
from uuid import UUID

from channels.generic.websocket import AsyncWebsocketConsumer

from interviews.choices import SessionStatus
from interviews.models import Session
from interviews.participant.consumers import NOISY, NOT_YOURS
from interviews.participant.rendering import PHASES
from interviews.participant.voice import minutes, options, providers
from interviews.participant.voice.dictation import Listening
from interviews.participant.voice.transcriber import Failed
from interviews.security import access

log = logging.getLogger(__name__)
ENDED_SO = 1000
TALKING = ("yours", "asking")  # in other phases nobody is heard
FAULTS = ("away", "cut", "stalled", "slow")  # worth a line in the log
_ending: set[asyncio.Task[None]] = set()


class VoiceConsumer(AsyncWebsocketConsumer):
    """One microphone of one session; a newer one of the same session ends it."""

    listening: Listening | None = None
    work: asyncio.Task[None] | None = None
    code = ""

    async def connect(self) -> None:
        """Begin to listen, if this browser and this interview may."""
        await self.accept()
        session_id = self.scope["url_route"]["kwargs"]["session_id"]
        try:
            session = await access.session_for(self.scope["cookies"], session_id)
        except access.AccessDenied:
            await self.close(NOT_YOURS)
            return
        await self._take_over(session.id)
        self.listening = Listening(self._tell)
        self.work = asyncio.create_task(self._listen(session))
        _ending.add(self.work)
        self.work.add_done_callback(_ending.discard)

    async def disconnect(self, code: int) -> None:
        """The line is closed behind the page's back; nobody waits for that."""
        if self.work is not None:
            self.work.cancel()
            session_id = self.scope["url_route"]["kwargs"]["session_id"]
            await self.channel_layer.group_discard(_group(session_id), self.channel_name)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        if self.listening is None:
            return
        try:
            if bytes_data is not None:
                self.listening.take(bytes_data)
            elif text_data == "stop":
                self.listening.stop()
            else:
                raise Failed("noisy")
        except Failed:
            self.listening = None
            await self.close(NOISY)

    async def voice_elsewhere(self, event: dict[str, Any]) -> None:
        """Another microphone of the same session was switched on."""
        if event["by"] == self.channel_name or self.work is None:
            return
        self.code = "elsewhere"
        self.work.cancel()
        await self._end()

    async def _take_over(self, session_id: UUID) -> None:
        news = {"type": "voice.elsewhere", "by": self.channel_name}
        await self.channel_layer.group_send(_group(session_id), news)
        await self.channel_layer.group_add(_group(session_id), self.channel_name)

    async def _listen(self, session: Session) -> None:
        began = time.monotonic()
        try:
            await self._for_a_time(session)
        except Failed as failed:
            self.code = failed.code
            if failed.code in FAULTS:
                log.warning("dictation failed: %s", failed)
        except Exception as error:  # not its text: it may hold what was said
            self.code = "away"
            log.error("dictation failed: %s", type(error).__name__)
        finally:
            await _count(session.id, time.monotonic() - began)
        await self._end()

    async def _for_a_time(self, session: Session) -> None:
        """Raises Failed: over, spent, and as `Listening.run`."""
        listening = self.listening
        talking = PHASES.get(SessionStatus(session.status)) in TALKING
        if listening is None or not talking or not options.listens(session):
            raise Failed("over")
        seconds = await minutes.left(session.id)
        if not seconds:
            raise Failed("spent")
        alarm = asyncio.get_running_loop().call_later(seconds, self._time_is_up)
        try:
            await listening.run(await providers.in_use(), session.language)
        finally:
            alarm.cancel()

    def _time_is_up(self) -> None:
        self.code = "long"
        with suppress(Failed):  # so full of frames that it ends by itself
            if self.listening is not None:
                self.listening.stop()

    async def _end(self) -> None:
        await self._tell({"kind": "done", "code": self.code})
        with suppress(RuntimeError):
            await self.close(ENDED_SO)

    async def _tell(self, news: dict[str, Any]) -> None:
        # The page may have gone a moment ago.
        with suppress(RuntimeError):
            await self.send(text_data=json.dumps(news))


async def _count(session_id: UUID, seconds: float) -> None:
    try:
        await minutes.spent(session_id, seconds)
    except Exception:  # a cache that is away must not keep the page waiting
        log.exception("minutes of dictation were not counted")


def _group(session_id: UUID) -> str:
    return f"voice.{session_id}"
