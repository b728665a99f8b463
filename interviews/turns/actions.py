"""Every way to start, answer, pause or end an interview.

An answer is stored first. The turn then runs as a task of this process, whatever becomes of the
page that sent it; if the process dies, another one takes over when the lease has run out.
"""

import asyncio
import contextvars
import logging
import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import IntegrityError
from django.utils import timezone, translation
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from interviews import validation
from interviews.choices import SessionStatus
from interviews.measures import ratings
from interviews.measures.paradata import ParadataInput, with_question
from interviews.models import Participant, Session, Turn
from interviews.recruitment.consent import ConsentChoice
from interviews.recruitment.eligibility.invitation_only import (
    invitation_is_over,
    invitation_over_error,
)
from interviews.security.access import new_key
from interviews.security.ratelimits import limits
from interviews.turns import events, session_start, store, withdrawal
from interviews.turns.snapshot import Snapshot, snapshot
from interviews.turns.store import ClaimedTurn, Conflict
from interviews.turns.turn_runner import run
from interviews.validation import RequestRefused
from llm.concurrency.threads import in_database

__all__ = [
    "RequestRefused",
    "StartedSession",
    "end",
    "finished",
    "fresh",
    "pause",
    "rate",
    "receive",
    "recover",
    "resume",
    "start",
    "sweep",
    "withdraw",
]

log = logging.getLogger(__name__)
TRIES = 5  # to change a session that others are changing
_tasks: dict[int, asyncio.Task[None]] = {}  # by turn: those running in this process


@dataclass(frozen=True)
class StartedSession:
    """A new session and its secrets; `cookie` is empty for a known participant."""

    session_id: UUID
    token: str
    cookie: str
    snapshot: Snapshot


# -- start


async def start(
    bot_slug: str | None,
    name: str,
    language: str = "",
    params: Mapping[str, str] | None = None,
    start_answers: Mapping[str, str] | None = None,
    participant: Participant | None = None,
    preview: bool = False,
    synthetic: bool = False,
    address: str = "",
    consent: ConsentChoice | None = None,
    language_source: str = "",
) -> StartedSession:
    """Start an interview and wait for its first question; no slug means the default bot.

    `params` are the link's parameters, `start_answers` what was entered into start fields.
    `address` is the client's; empty for staff and programs, which have no limits. `consent` is None
    if it was asked for elsewhere. Raises RequestRefused: unknown_bot, not_ready, too_many,
    incomplete_link, declined, consent_changed, and what interviews.recruitment.eligibility.admit
    raises.
    """
    if address:
        await limits.admit(limits.STARTS, address)
        await limits.admit(limits.LINK_STARTS, bot_slug or "the default")
    request = session_start.StartRequest(
        bot_slug,
        validation.name(name),
        language,
        params or {},
        start_answers or {},
        preview=preview,
        synthetic=synthetic,
        consent=consent,
        language_source=language_source,
        interface=get_language() or "",
    )
    claimed, person = await in_database(session_start.open_session, request, participant)
    _launch(claimed)
    token = await in_database(new_key, person, claimed.session)
    cookie = "" if participant else await in_database(new_key, person)
    await finished(claimed.turn.pk)
    session = await fresh(claimed.session.pk)
    return StartedSession(session.pk, token, cookie, await in_database(snapshot, session))


# -- an answer


async def receive(
    session: Session,
    text: str,
    message_id: str,
    trigger: str = "user_answer",
    answering: int | None = None,
    measures: ParadataInput | None = None,
) -> int:
    """Store what the participant did, launch the turn that answers it and return its id.

    `trigger` is user_answer, skip or stop; only the first has a text. `answering` is the position
    of the last entry that the page showed. A message id used before returns that turn's id. Raises
    RequestRefused.
    """
    kind = Turn.Trigger(trigger)
    clean = validation.answer(text) if kind == Turn.Trigger.ANSWER else ""
    key = validation.message_id(message_id)
    for attempt in range(TRIES):
        if attempt:
            session = await fresh(session.pk)
        refusal = await _refusal(session, kind, answering)
        if refusal or attempt:
            earlier = await in_database(_turn_id, session, message_id=key)
            if earlier is not None:
                return earlier
        if refusal:
            raise refusal
        if not attempt and not session.synthetic:
            await limits.admit(limits.ANSWERS, session.pk)
        at = timezone.now()
        try:
            claimed = await in_database(store.record, session, kind, clean, key, at, measures)
        except (Conflict, IntegrityError):
            continue
        _launch(claimed)
        await events.send_changed(session.pk, claimed.session.sequence)
        return claimed.turn.pk
    raise _busy()


async def _refusal(
    session: Session, kind: Turn.Trigger, answering: int | None
) -> RequestRefused | None:
    if not session.is_active:
        return RequestRefused("ended", _("This interview has ended, so nothing more can be sent."))
    if session.status in (SessionStatus.INTRO, SessionStatus.ASKING):
        return _busy()
    if answering not in (None, session.length):
        return RequestRefused(
            "outdated", _("The interview has moved on in another window. Your words are kept here.")
        )
    if kind == Turn.Trigger.STOP or session.invitation_id is None:
        return None
    return invitation_over_error() if await in_database(invitation_is_over, session) else None


def _busy() -> RequestRefused:
    return RequestRefused(
        "busy", _("The interviewer is still answering. Your words are kept here.")
    )


def _turn_id(session: Session, **fields: Any) -> int | None:
    return Turn.objects.filter(session=session, **fields).values_list("pk", flat=True).first()


# -- buttons


async def pause(session: Session) -> None:
    """Pause; while the interviewer speaks, the pause begins after the reply."""
    await _change(session, store.pause)


async def resume(session: Session) -> None:
    await _change(session, store.resume)


async def end(session: Session, message_id: str) -> None:
    """End the interview for the participant, after a turn that is under way."""
    session = await fresh(session.pk)
    if session.status in (SessionStatus.INTRO, SessionStatus.ASKING):
        running = await in_database(_turn_id, session, status=Turn.Status.RUNNING)
        if running is not None:
            await finished(running)
        session = await fresh(session.pk)
    if session.is_active:
        await finished(await receive(session, "", message_id, "stop"))


async def withdraw(session: Session) -> None:
    """Delete all that was said and made of it, and drop a reply under way.

    Raises RequestRefused: busy.
    """
    await _change(session, lambda found, at: withdrawal.withdraw(found))


async def rate(session: Session, answers: Mapping[str, int | None]) -> None:
    """Store the participant's rating (heard, ease); None removes one.

    Raises RequestRefused: empty, not_over, not_asked, busy.
    """
    language = get_language()  # the database thread has none

    def change(found: Session, at: datetime) -> int:
        with translation.override(language):
            return ratings.rate(found, answers, at)

    await _change(session, change)


async def _change(session: Session, change: Any) -> None:
    for _attempt in range(TRIES):
        try:
            sequence = await in_database(change, session, timezone.now())
        except Conflict:
            session = await fresh(session.pk)
            continue
        await events.send_changed(session.pk, sequence)
        return
    raise RequestRefused("busy", _("The interviewer is still answering. Please try again."))


# -- recovery


async def recover(session: Session) -> None:
    """Resume the session's turn if its process has died. Called when a page connects."""
    if session.status in (SessionStatus.INTRO, SessionStatus.ASKING):
        for claimed in await in_database(store.reclaim, session.pk):
            _launch(claimed)


async def sweep(at_once: bool = False) -> int:
    found = await in_database(store.reclaim, None, at_once)
    await asyncio.gather(*(_launch(claimed) for claimed in found), return_exceptions=True)
    return len(found)


# -- what runs


def _launch(claimed: ClaimedTurn) -> asyncio.Task[None]:
    # a context inherited from a request would give each task a database thread of its own
    key = claimed.turn.pk
    task = asyncio.get_running_loop().create_task(run(claimed), context=contextvars.Context())
    _tasks[key] = task
    task.add_done_callback(lambda _task: _tasks.pop(key, None))
    return task


async def finished(turn_id: int, timeout: float | None = None) -> bool:
    """Wait up to `timeout` seconds for the turn, in whatever process; return whether it is done."""
    limit = settings.TURN_DEADLINE + 5 if timeout is None else timeout
    until = time.monotonic() + limit
    task = _tasks.get(turn_id)
    if task is not None:
        await asyncio.wait({task}, timeout=limit)
    while not await in_database(_is_done, turn_id):
        if time.monotonic() > until:
            return False
        await asyncio.sleep(0.2)
    return True


def _is_done(turn_id: int) -> bool:  # or deleted with its interview
    return not Turn.objects.filter(pk=turn_id).exclude(status=Turn.Status.DONE).exists()


async def fresh(session_id: UUID) -> Session:
    sessions = with_question(Session.objects.select_related("participant", "bot"))
    return await in_database(sessions.get, pk=session_id)
