"""The websocket of a microphone: sound comes in, text goes out, and neither is stored.

A page sends frames of sound (see `transcriber`), and "stop" at the end. It receives as JSON what
`dictation` sends, and at the end `done` with a code: empty, `long` (the time limit is reached) or
what went wrong: spent, over, elsewhere, or a code of `transcriber.Failed`.
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
from interviews.participant.voice import minutes, providers
from interviews.participant.voice.dictation import Dictation
from interviews.participant.voice.transcriber import Failed
from interviews.security import access

log = logging.getLogger(__name__)
NORMAL_CLOSURE = 1000
PHASES_WITH_MICROPHONE = ("yours", "asking")
FAULTS = ("away", "cut", "stalled", "slow")  # worth a line in the log
_tasks: set[asyncio.Task[None]] = set()


class VoiceConsumer(AsyncWebsocketConsumer):
    """One microphone of a session; a newer one of the same session ends it."""

    listening: Dictation | None = None
    work: asyncio.Task[None] | None = None
    code = ""

    async def connect(self) -> None:
        await self.accept()
        session_id = self.scope["url_route"]["kwargs"]["session_id"]
        try:
            session = await access.session_for(self.scope["cookies"], session_id)
        except access.AccessDenied:
            await self.close(NOT_YOURS)
            return
        await self._end_others(session.id)
        self.listening = Dictation(self._send_json)
        self.work = asyncio.create_task(self._run(session))
        _tasks.add(self.work)
        self.work.add_done_callback(_tasks.discard)

    async def disconnect(self, code: int) -> None:
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
        """End this dictation: another microphone of the session was switched on."""
        if event["by"] == self.channel_name or self.work is None:
            return
        self.code = "elsewhere"
        self.work.cancel()
        await self._end()

    async def _end_others(self, session_id: UUID) -> None:
        news = {"type": "voice.elsewhere", "by": self.channel_name}
        await self.channel_layer.group_send(_group(session_id), news)
        await self.channel_layer.group_add(_group(session_id), self.channel_name)

    async def _run(self, session: Session) -> None:
        began = time.monotonic()
        try:
            await self._transcribe(session)
        except Failed as failed:
            self.code = failed.code
            if failed.code in FAULTS:
                log.warning("dictation failed: %s", failed)
        except Exception as error:  # its text isn't logged: it may contain what was said
            self.code = "away"
            log.error("dictation failed: %s", type(error).__name__)
        finally:
            await _count_seconds(session.id, time.monotonic() - began)
        await self._end()

    async def _transcribe(self, session: Session) -> None:
        """Raises Failed: over, spent, and as `Dictation.run`."""
        listening = self.listening
        in_phase = PHASES.get(SessionStatus(session.dialogue_status)) in PHASES_WITH_MICROPHONE
        if listening is None or not in_phase or not providers.uses_site_dictation(session):
            raise Failed("over")
        seconds = await minutes.seconds_left(session.id)
        if not seconds:
            raise Failed("spent")
        alarm = asyncio.get_running_loop().call_later(seconds, self._stop_at_limit)
        try:
            await listening.run(await providers.current_provider(), session.language)
        finally:
            alarm.cancel()

    def _stop_at_limit(self) -> None:
        self.code = "long"
        with suppress(Failed):  # its queue is so full that it ends by itself
            if self.listening is not None:
                self.listening.stop()

    async def _end(self) -> None:
        await self._send_json({"kind": "done", "code": self.code})
        with suppress(RuntimeError):
            await self.close(NORMAL_CLOSURE)

    async def _send_json(self, news: dict[str, Any]) -> None:
        with suppress(RuntimeError):  # the page may have disconnected a moment ago
            await self.send(text_data=json.dumps(news))


async def _count_seconds(session_id: UUID, seconds: float) -> None:
    try:
        await minutes.add_seconds(session_id, seconds)
    except Exception:  # the page must not wait for a cache that is down
        log.exception("minutes of dictation were not counted")


def _group(session_id: UUID) -> str:
    return f"voice.{session_id}"
