"""The websocket of an open chat page, which turns hints into HTML fragments."""

from contextlib import suppress
from typing import Any
from urllib.parse import parse_qs
from uuid import UUID

from channels.consumer import get_handler_name
from channels.generic.websocket import AsyncWebsocketConsumer

from interviews.choices import SessionStatus
from interviews.models import Session
from interviews.participant import rendering
from interviews.participant.views.replies import number
from interviews.security import access
from interviews.turns import actions, events
from interviews.turns.snapshot import Snapshot
from llm.concurrency.threads import in_database

# Close codes. Daphne sends none between 1001 and 2999.
NOT_YOURS = 4404  # reconnecting would not help
WITHDRAWN = 4410  # only for pages that were connected before
NOISY = 4408
CARRIED = 4413  # the page reconnects
FRAMES = 50  # pages send none; a client that sends this many is disconnected
MOST_SENT = 1_000_000  # characters per connection: what a client doesn't read stays in memory


class ChatConsumer(AsyncWebsocketConsumer):
    """Follows one session for one page.

    Each hint is answered with the newest snapshot, so hints that were overtaken or dropped by the
    channel layer cost nothing: the next one brings everything.
    """

    session_id: UUID
    sequence = -1  # of the last snapshot sent
    last_position = 0  # of the last entry that the page has
    frames = 0
    characters_sent = 0

    async def connect(self) -> None:
        await self.accept()
        self.session_id = self.scope["url_route"]["kwargs"]["session_id"]
        query = parse_qs(self.scope.get("query_string", b"").decode("latin1"))
        self.last_position = number(query.get("after", [""])[0]) or 0
        await self.channel_layer.group_add(events.group(self.session_id), self.channel_name)
        if session := await self._send_changes():
            actions.recover(session)

    async def disconnect(self, code: int) -> None:
        if self.channel_layer is not None and hasattr(self, "session_id"):
            await self.channel_layer.group_discard(events.group(self.session_id), self.channel_name)

    async def websocket_receive(self, message: Any) -> None:
        """Ignore what the page sends: answers come by HTTP."""
        self.frames += 1
        if self.frames == FRAMES:
            await self.close(NOISY)

    async def dispatch(self, message: Any) -> None:
        """Call the handler, without the thread in which Channels looks for idle connections."""
        await getattr(self, get_handler_name(message))(message)

    async def session_changed(self, event: dict[str, Any]) -> None:
        if 0 <= self.sequence < event["sequence"]:
            await self._send_changes()

    async def session_draft(self, event: dict[str, Any]) -> None:
        if self.sequence >= 0:  # who has no access is still in the group for a moment
            await self._send_html(rendering.render_draft(event["text"]))

    async def _send_changes(self) -> Session | None:
        try:
            session, snap = await in_database(self._read)
        except access.AccessDenied:
            gone = Session.objects.filter(pk=self.session_id, status=SessionStatus.WITHDRAWN)
            was_connected = self.sequence >= 0
            withdrawn = was_connected and await in_database(gone.exists)
            await self.close(WITHDRAWN if withdrawn else NOT_YOURS)
            return None
        self.sequence, self.last_position = snap.sequence, snap.length
        await self._send_html(rendering.render_news(snap))
        return session

    def _read(self) -> tuple[Session, Snapshot]:
        session = access.look_at_session(self.scope["cookies"], self.session_id)
        return session, rendering.page_snapshot(session, self.last_position)

    async def _send_html(self, html: str) -> None:
        """Send a fragment, or close a connection that has carried too much.

        The server can't see whether anybody reads. A page reconnects at once and gets what it
        lacks; a client that doesn't answer is dropped together with all that waits for it.
        """
        if self.characters_sent > MOST_SENT:
            return
        self.characters_sent += len(html)
        if self.characters_sent > MOST_SENT:
            await self.close(CARRIED)
            return
        with suppress(RuntimeError):  # the page may have disconnected a moment ago
            await self.send(text_data=html)
