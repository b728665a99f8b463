"""Every way to start, answer, pause or end an interview.

An answer is stored first. The turn then runs as a task of this process, whatever becomes of the
page that sent it; if the process dies, another one takes over when the lease has run out.
"""

import asyncio
import contextvars
import logging
import sqlite3
import time
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from functools import wraps
from typing import Any, ParamSpec, TypeVar
from uuid import UUID, uuid4

from django.conf import settings
from django.db import DatabaseError, IntegrityError, InterfaceError, OperationalError
from django.utils import timezone, translation
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from interviews import validation
from interviews.choices import SessionStatus
from interviews.measures import ratings
from interviews.measures.paradata import ParadataInput, with_question
from interviews.models import Erasure, Participant, Session, Turn
from interviews.recruitment.eligibility.invitation_only import (
    invitation_is_revoked,
    invitation_over_error,
)
from interviews.security.access import new_key
from interviews.security.ratelimits import limits
from interviews.turns import events, store, withdrawal
from interviews.turns.session_start import StartRequest, open_session
from interviews.turns.snapshot import Snapshot, snapshot
from interviews.turns.store import ClaimedTurn, Conflict
from interviews.turns.turn_runner import run
from interviews.validation import RequestRefused
from llm.concurrency.threads import in_database
from llm.routing import load

log = logging.getLogger(__name__)
P = ParamSpec("P")
T = TypeVar("T")
Key = TypeVar("Key", int, UUID)
TRIES = 5  # to change a session that others are changing
AGAIN = 1.0  # seconds between two looks at something that should have happened
MOMENT = 1.0  # seconds that somebody who withdraws waits for the last copy to go
_tasks: dict[int, asyncio.Task[None]] = {}  # by turn: those running in this process
_watches: dict[UUID, asyncio.Task[None]] = {}  # by session
_erasures: dict[UUID, asyncio.Task[None]] = {}


@dataclass(frozen=True)
class StartedSession:
    """A new session and its secrets; `cookie` is empty for a known participant."""

    session_id: UUID
    token: str
    cookie: str
    snapshot: Snapshot


def _refuse_when_unavailable(action: Callable[P, Awaitable[T]]) -> Callable[P, Awaitable[T]]:
    """Say so in plain words where the database is away or its disk is full."""

    @wraps(action)
    async def wrapper(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return await action(*args, **kwargs)
        except (OperationalError, InterfaceError) as error:
            log.error("nothing can be stored", exc_info=error)
            raise validation.unavailable() from error

    return wrapper


# -- start


@_refuse_when_unavailable
async def start(
    request: StartRequest,
    participant: Participant | None = None,
    address: str = "",
    waits: bool = True,
) -> StartedSession:
    """Start an interview and wait for its first question, unless a page will follow it live.

    `address` is the client's; empty for staff and programs, which have no limits. Raises
    RequestRefused: unknown_bot, not_ready, too_many, crowded, declined, consent_changed, and what
    interviews.recruitment.eligibility.check_eligibility raises.
    """
    if address:
        if load.is_full():
            raise _crowded()
        await limits.admit(limits.STARTS, address)
        await limits.admit(limits.LINK_STARTS, request.bot or "the default")
    claimed, person = await in_database(open_session, request, participant, get_language())
    if claimed.begun_before:
        recover(claimed.session)
    else:
        _launch(claimed)
    if participant:
        for key, sequence in await in_database(_just_replaced, claimed.session):
            await events.send_changed(key, sequence)
    token = await in_database(new_key, person, claimed.session)
    cookie = "" if participant else await in_database(new_key, person)
    if waits:
        await finished(claimed.turn.pk)
    session = await fresh(claimed.session.pk)
    return StartedSession(session.pk, token, cookie, await in_database(snapshot, session))


def _just_replaced(session: Session) -> list[tuple[UUID, int]]:
    """Return the interviews that the start of this one has ended, with their sequences."""
    replaced = withdrawal.replaced_by(session).filter(ended_at=session.started_at)
    return list(replaced.order_by("pk").values_list("pk", "sequence"))


def _crowded() -> RequestRefused:
    message = _("Many interviews are running right now. Please try again in a minute.")
    return RequestRefused("crowded", message, retry_after=60)


# -- an answer


@_refuse_when_unavailable
async def receive(
    session: Session,
    text: str,
    message_id: str,
    trigger: str = "user_answer",
    answering: int | None = None,
    measures: ParadataInput | None = None,
    at: datetime | None = None,
) -> int:
    """Store what the participant did, launch the turn that answers it and return its id.

    `trigger` is user_answer, skip or stop; only the first has a text. `answering` is the position
    of the last entry that the page showed. A message id used before returns that turn's id. `at` is
    the time on the clock of a simulated participant, ahead of ours. Raises RequestRefused.
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
        now = at or timezone.now()
        try:
            claimed = await in_database(store.record, session, kind, clean, key, now, measures)
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
        return RequestRefused("ended", _("This interview has ended. You can’t send anything more."))
    if session.dialogue_status in (SessionStatus.INTRO, SessionStatus.ASKING):
        return _busy()
    if answering not in (None, session.length):
        return RequestRefused(
            "outdated",
            _("The interview has moved on in another window. Your words are still here."),
        )
    if kind == Turn.Trigger.STOP or session.invitation_id is None:
        return None
    return invitation_over_error() if await in_database(invitation_is_revoked, session) else None


def _busy() -> RequestRefused:
    return RequestRefused("busy", _("The interviewer is still replying. Your words are safe."))


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
    if session.dialogue_status in (SessionStatus.INTRO, SessionStatus.ASKING):
        running = await in_database(_turn_id, session, status=Turn.Status.RUNNING)
        if running is not None:
            await finished(running)
        session = await fresh(session.pk)
    if session.is_active:
        await finished(await receive(session, "", message_id, "stop"))


async def withdraw(session: Session) -> bool:
    """Delete all that was said and made of it, and drop a reply under way.

    Return whether no copy is left on the disk. If not, somebody reads from the database, or
    PostgreSQL isn't vacuumed yet; the copy goes by itself. Raises RequestRefused: busy.
    """
    await _change(session, lambda found, at: withdrawal.withdraw(found))
    erasure = erase_copies()
    await asyncio.wait({erasure}, timeout=MOMENT)
    return erasure.done()


def erase_copies() -> asyncio.Task[None]:
    """Begin to empty the database's journal of what was deleted before now."""
    return _create_task(_erasures, uuid4(), _erase_copies())


async def is_erasing() -> bool:
    return bool(_erasures) or await in_database(Erasure.objects.exists)


async def _erase_copies() -> None:
    pause = 0.05
    while not await _journal_is_empty():
        await asyncio.sleep(pause)
        pause = min(2 * pause, AGAIN)


async def _journal_is_empty() -> bool:
    try:
        return await in_database(withdrawal.empty_journal)
    except (sqlite3.Error, DatabaseError, InterfaceError) as error:
        log.warning("the journal is not emptied yet: %s", error)
        return False


async def rate(session: Session, answers: Mapping[str, int | None]) -> None:
    """Store the participant's rating (heard, ease); None removes one.

    Raises RequestRefused: empty, not_over, not_asked, busy.
    """
    language = get_language()  # the database thread has none

    def change(found: Session, at: datetime) -> int:
        with translation.override(language):
            return ratings.rate(found, answers, at)

    await _change(session, change)


@_refuse_when_unavailable
async def _change(session: Session, change: Any) -> None:
    for _attempt in range(TRIES):
        try:
            sequence = await in_database(change, session, timezone.now())
        except Conflict:
            session = await fresh(session.pk)
            continue
        await events.send_changed(session.pk, sequence)
        return
    raise RequestRefused("busy", _("The interviewer is still replying. Please try again."))


# -- recovery


def recover(session: Session) -> None:
    """Watch the session's open turn, and run it here once its process has died.

    Called at every contact with a session.
    """
    speaks = session.dialogue_status in (SessionStatus.INTRO, SessionStatus.ASKING)
    if speaks and session.pk not in _watches:
        _create_task(_watches, session.pk, _watch(session.pk))


async def _watch(session_id: UUID) -> None:
    with suppress(DatabaseError, InterfaceError):  # the next contact begins anew
        while (until := await in_database(store.leased_until, session_id)) is not None:
            left = (until - timezone.now()).total_seconds()
            if left < 0:
                await _take_over(session_id)
            await asyncio.sleep(max(left, AGAIN))


async def sweep(at_once: bool = False) -> int:
    """Take over every turn whose process has died, and wait for their ends; return how many."""
    turns = await _take_over(at_once=at_once)
    await asyncio.gather(*turns, return_exceptions=True)
    return len(turns)


async def _take_over(
    session_id: UUID | None = None, at_once: bool = False
) -> list[asyncio.Task[None]]:
    found = await in_database(store.reclaim, session_id, at_once, tuple(_tasks))
    return [_launch(claimed) for claimed in found]


# -- what runs


def _launch(claimed: ClaimedTurn) -> asyncio.Task[None]:
    return _create_task(_tasks, claimed.turn.pk, run(claimed))


def _create_task(
    tasks: dict[Key, asyncio.Task[None]], key: Key, work: Coroutine[Any, Any, None]
) -> asyncio.Task[None]:
    # a context inherited from a request would give each task a database thread of its own
    task = asyncio.get_running_loop().create_task(work, context=contextvars.Context())
    tasks[key] = task
    task.add_done_callback(lambda done: tasks.pop(key) if tasks.get(key) is done else None)
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
