"""Streams an answer's reply as server-sent events: delta, replace, done, error."""

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Awaitable
from contextlib import AsyncExitStack
from typing import Any
from uuid import UUID

from django.core.serializers.json import DjangoJSONEncoder
from django.db import DatabaseError, InterfaceError

from interviews.api import queries, schemas
from interviews.security import access
from interviews.turns import actions, events
from llm.concurrency.threads import in_database

log = logging.getLogger(__name__)


async def stream_reply(session: UUID, receiving: Awaitable[int]) -> AsyncIterator[str]:
    """Receive an answer, as a turn, and return the stream of its reply. Raises RequestRefused."""
    async with AsyncExitStack() as stack:
        # before the answer, or the first words could be missed
        news = await stack.enter_async_context(events.subscription(session))
        turn = await receiving
        return _stream(stack.pop_all(), news, turn)


async def _stream(
    subscription: AsyncExitStack, news: AsyncIterator[Any], turn: int
) -> AsyncIterator[str]:
    reply = _StreamedReply()
    done = asyncio.ensure_future(actions.finished(turn))
    try:
        async for draft in _until_done(done, news):
            if draft.turn == turn and (change := reply.update(draft.text)):
                yield change
        yield await _last_event(done, turn, reply)
    except (DatabaseError, InterfaceError):
        log.exception("the stream of turn %s broke off", turn)
        yield _event("error", {"error": "unavailable", "message": "Please ask again in a moment."})
    finally:
        done.cancel()
        await subscription.aclose()


async def _until_done(done: "asyncio.Future[bool]", news: AsyncIterator[Any]) -> AsyncIterator[Any]:
    while not done.done():
        coming = asyncio.ensure_future(anext(news))
        try:
            await asyncio.wait({done, coming}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            given_up = coming.cancel()  # also where the client has gone
        if given_up:
            return
        yield coming.result()


async def _last_event(done: "asyncio.Future[bool]", turn: int, streamed: "_StreamedReply") -> str:
    if not await done:
        return _event("error", {"error": "slow", "message": "The reply takes longer; ask again."})
    try:
        reply = await in_database(queries.reply_of, turn)
    except access.AccessDenied:
        return _event("error", {"error": "not_found", "message": "There is no such session."})
    change = streamed.update(reply["message"])
    return change + _event("done", schemas.ReplyOut.model_validate(reply).model_dump())


class _StreamedReply:
    def __init__(self) -> None:
        self.text = ""

    def update(self, text: str) -> str:
        """Return the event that turns it into `text`, or "" if there is no change."""
        before, self.text = self.text, text
        if text == before:
            return ""
        if text.startswith(before):
            return _event("delta", {"text": text[len(before) :]})
        return _event("replace", {"text": text})


def _event(name: str, data: dict[str, Any]) -> str:
    return f"event: {name}\ndata: {json.dumps(data, cls=DjangoJSONEncoder)}\n\n"
