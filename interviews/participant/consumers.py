"""The websocket of an open chat page: hints become fragments of HTML. Nothing is received here."""

from contextlib import suppress
from typing import Any
from urllib.parse import parse_qs
from uuid import UUID

from channels.generic.websocket import AsyncWebsocketConsumer

from interviews.choices import SessionStatus
from interviews.models import Session
from interviews.participant import rendering
from interviews.security import access
from interviews.turns import actions, events
from llm.concurrency.threads import in_database

NOT_YOURS = 4404  # closed so: coming back would not help
WITHDRAWN = 4410  # told only to a page that was let in before
NOISY = 4408  # Daphne sends no code between 1001 and 2999
CARRIED = 4413  # a page comes back after this one
FRAMES = 50  # a page sends none; more than a few come from something else
MOST_SENT = 1_000_000  # characters over one connection: what nobody reads waits in our memory


class ChatConsumer(AsyncWebsocketConsumer):
    """Follows one session for one page.

    A hint is answered by the newest snapshot, so hints that were overtaken, and hints that the
    channel layer dropped, cost nothing: the next one brings everything.
    """

    session_id: UUID
    sequence = -1  # of the snapshot sent last
    shown = 0  # position of the last entry that the page has
    frames = 0
    sent = 0

    async def connect(self) -> None:
        """Follow the session, see that an orphaned turn is taken up, send the present state."""
        await self.accept()
        self.session_id = self.scope["url_route"]["kwargs"]["session_id"]
        self.shown = _position(self.scope.get("query_string", b""))
        session = await self._session()
        if session is None:
            return
        await self.channel_layer.group_add(events.group(self.session_id), self.channel_name)
        await actions.recover(session)
        await self._send_news()

    async def disconnect(self, code: int) -> None:
        if self.channel_layer is not None and hasattr(self, "session_id"):
            await self.channel_layer.group_discard(events.group(self.session_id), self.channel_name)

    async def websocket_receive(self, message: Any) -> None:
        """Answers come by HTTP; whatever is sent here is not read."""
        self.frames += 1
        if self.frames == FRAMES:
            await self.close(NOISY)

    async def session_changed(self, event: dict[str, Any]) -> None:
        """Send the newest state, unless what was sent before is as new."""
        if event["sequence"] > self.sequence:
            await self._send_news()

    async def session_draft(self, event: dict[str, Any]) -> None:
        """Pass on the utterance being made."""
        await self._tell(rendering.draft(event["text"]))

    async def _send_news(self) -> None:
        session = await self._session()
        if session is None:
            return
        snap = await in_database(rendering.newest, session, self.shown)
        self.sequence, self.shown = snap.sequence, snap.length
        await self._tell(rendering.news(snap))

    async def _session(self) -> Session | None:
        """The session as it stands, asked for by the page's cookie each time."""
        try:
            return await access.session_for(self.scope["cookies"], self.session_id)
        except access.AccessDenied:
            let_in = self.sequence >= 0
            gone = let_in and await in_database(_is_withdrawn, self.session_id)
            await self.close(WITHDRAWN if gone else NOT_YOURS)
            return None

    async def _tell(self, html: str) -> None:
        """Send a fragment; a connection that has carried enough is closed instead.

        The server can't see whether anybody reads. A page opens the next connection at once and is
        sent what it lacks; one that doesn't answer is dropped with all that waits for it.
        """
        if self.sent > MOST_SENT:
            return
        self.sent += len(html)
        if self.sent > MOST_SENT:
            await self.close(CARRIED)
            return
        # The page may have gone a moment ago; it will ask again when it is back.
        with suppress(RuntimeError):
            await self.send(text_data=html)


def _is_withdrawn(session_id: UUID) -> bool:
    return Session.objects.filter(pk=session_id, status=SessionStatus.WITHDRAWN).exists()


def _position(query: bytes) -> int:
    """The `after` of the address: the last entry that the page shows. 0 when in doubt."""
    value = parse_qs(query.decode("latin1")).get("after", ["0"])[0]
    return int(value) if value.isascii() and value.isdigit() and len(value) < 9 else 0
