"""The one door: whatever starts, answers, pauses or ends an interview comes through here.

An answer is recorded first; then the turn runs as a task of this process, outliving the page that
sent it, and a lease lets another process take it up if this one dies.
"""

import asyncio
import contextvars
import logging
import time
from collections.abc import Coroutine, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import IntegrityError
from django.utils import timezone, translation
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from interviews import events, gate, limits, opening, store
from interviews.access import new_key
from interviews.consenting import Choice
from interviews.entrance.invited import has_run_out, over
from interviews.gate import Refused
from interviews.models import Participant, Session, Turn
from interviews.paradata import Told, with_question
from interviews.rating import rate as rated
from interviews.running import run
from interviews.snapshot import Snapshot, snapshot
from interviews.store import Claimed, Conflict
from interviews.withdrawing import withdraw as withdrawn
from interviews.words import Status
from llm.threads import in_database

__all__ = [
    "Refused",
    "Started",
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
TRIES = 5  # against others who change the same session
_tasks: dict[int, asyncio.Task[None]] = {}  # turns that this process runs


@dataclass(frozen=True)
class Started:
    """A new session and the secrets that open it; `cookie` is empty for a known participant."""

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
    given: Mapping[str, str] | None = None,
    participant: Participant | None = None,
    preview: bool = False,
    synthetic: bool = False,
    address: str = "",
    consent: Choice | None = None,
    language_by: str = "",
) -> Started:
    """A new interview up to its first question. No slug: the site's default bot.

    `params` came with the link, `given` is what was told to the start fields (key -> words);
    `address` is where the wish comes from (none for the site's own people and programs);
    `consent` is what was chosen (none: it was asked elsewhere), `language_by` how the language was.
    Raises Refused: unknown_bot, not_ready, too_many, incomplete_link, declined, consent_changed,
    and what interviews.entrance.admit raises.
    """
    if address:
        await limits.admit(limits.STARTS, address)
        await limits.admit(limits.LINK_STARTS, bot_slug or "the default")
    wish = opening.Wish(
        bot_slug,
        gate.name(name),
        language,
        params or {},
        given or {},
        preview=preview,
        synthetic=synthetic,
        consent=consent,
        language_by=language_by,
        interface=get_language() or "",
    )
    claimed, person = await in_database(opening.open_session, wish, participant)
    _launch(claimed)
    token = await in_database(new_key, person, claimed.session)
    cookie = "" if participant else await in_database(new_key, person)
    await finished(claimed.turn.pk)
    session = await fresh(claimed.session.pk)
    return Started(session.pk, token, cookie, await in_database(snapshot, session))


# -- an answer


async def receive(
    session: Session,
    text: str,
    message_id: str,
    trigger: str = "user_answer",
    answering: int | None = None,
    measures: Told | None = None,
) -> int:
    """Records what the participant did and lets the interviewer's turn begin.

    In: `trigger` is user_answer, skip or stop (the last two without a text); `answering` is the
    position of the last entry that the page showed; `measures` say how the answer was written.
    Out: the turn's id; for a message id that was used before, the turn of then. Raises Refused.
    """
    kind = Turn.Trigger(trigger)
    clean = gate.answer(text) if kind == Turn.Trigger.ANSWER else ""
    key = gate.message_id(message_id)
    counted = False
    for attempt in range(TRIES):
        if attempt:
            session = await fresh(session.pk)
        earlier = None
        run_out = kind != Turn.Trigger.STOP and await _has_run_out(session)
        if attempt or run_out or not _may_answer(session, answering):
            earlier = await in_database(_turn_of, session, key)
        if earlier is not None:
            return earlier
        _refuse_unless_may_answer(session, answering)
        if run_out:
            raise over()
        if not counted:
            counted = await _counted(session)
        try:
            at = timezone.now()
            claimed = await in_database(store.record, session, kind, clean, key, at, measures)
        except (Conflict, IntegrityError):
            continue
        _launch(claimed)
        await events.changed(session.pk, claimed.session.sequence)
        return claimed.turn.pk
    raise Refused("busy", _("The interviewer is still answering. Your words are kept here."))


async def _counted(session: Session) -> bool:
    """One more answer of that interview. Raises Refused: too_many."""
    if not session.synthetic:
        await limits.admit(limits.ANSWERS, session.pk)
    return True


async def _has_run_out(session: Session) -> bool:
    """Whether the session's invitation has expired or was revoked, in this very moment."""
    return session.invitation_id is not None and await in_database(has_run_out, session)


def _turn_of(session: Session, message_id: str) -> int | None:
    turns = Turn.objects.filter(session=session, message_id=message_id)
    return turns.values_list("pk", flat=True).first()


def _may_answer(session: Session, answering: int | None) -> bool:
    waits = session.status in (Status.WAITING_ANSWER, Status.PAUSED)
    return waits and answering in (None, session.length)


def _refuse_unless_may_answer(session: Session, answering: int | None) -> None:
    """Raises Refused: ended, busy, outdated."""
    if not session.is_active:
        raise Refused("ended", _("This interview has ended, so nothing more can be sent."))
    if session.status in (Status.INTRO, Status.ASKING):
        raise Refused("busy", _("The interviewer is still answering. Your words are kept here."))
    if answering not in (None, session.length):
        raise Refused(
            "outdated", _("The interview has moved on in another window. Your words are kept here.")
        )


# -- buttons


async def pause(session: Session) -> None:
    """Keeps the place; asked for while the interviewer speaks, it begins after that."""
    await _change(session, store.paused)


async def resume(session: Session) -> None:
    """Goes on after a pause."""
    await _change(session, store.resumed)


async def end(session: Session, message_id: str) -> None:
    """The participant ends the interview; a turn under way is heard out first."""
    session = await fresh(session.pk)
    if session.status in (Status.INTRO, Status.ASKING):
        running = await in_database(_running_turn, session)
        if running is not None:
            await finished(running)
        session = await fresh(session.pk)
    if session.is_active:
        await finished(await receive(session, "", message_id, "stop"))


async def withdraw(session: Session) -> None:
    """Deletes all that was said, and all that came of it; a reply that is under way is dropped.

    Raises Refused: busy.
    """
    await _change(session, lambda found, at: withdrawn(found))


async def rate(session: Session, told: Mapping[str, int | None]) -> None:
    """Keeps what the participant thinks of the interview (heard, ease); None takes one back.

    Raises Refused: empty, not_over, not_asked, busy.
    """
    language = get_language()  # the database's thread knows of none

    def change(found: Session, at: datetime) -> int:
        with translation.override(language):
            return rated(found, told, at)

    await _change(session, change)


def _running_turn(session: Session) -> int | None:
    turns = Turn.objects.filter(session=session, status=Turn.Status.RUNNING)
    return turns.values_list("pk", flat=True).first()


async def _change(session: Session, change: Any) -> None:
    for _attempt in range(TRIES):
        try:
            sequence = await in_database(change, session, timezone.now())
        except Conflict:
            session = await fresh(session.pk)
            continue
        await events.changed(session.pk, sequence)
        return
    raise Refused("busy", _("The interviewer is still answering. Please try again."))


# -- recovery


async def recover(session: Session) -> None:
    """Takes up the session's turn if whoever ran it has died. For a page that (re)connects."""
    if session.status in (Status.INTRO, Status.ASKING):
        for claimed in await in_database(store.reclaim, session.pk):
            _launch(claimed)


async def sweep(at_once: bool = False) -> int:
    """Takes up every turn whose lease has run out; returns how many when they are done."""
    found = await in_database(store.reclaim, None, at_once)
    await asyncio.gather(*(_launch(claimed) for claimed in found), return_exceptions=True)
    return len(found)


# -- what runs


def _launch(claimed: Claimed) -> asyncio.Task[None]:
    """Runs the turn as its own task.

    In a fresh context: one inherited from a request would give each task a database thread and a
    connection of its own.
    """
    key = claimed.turn.pk
    task = _spawn(run(claimed))
    _tasks[key] = task
    task.add_done_callback(lambda _task: _tasks.pop(key, None))
    return task


def _spawn(work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
    return asyncio.get_running_loop().create_task(work, context=contextvars.Context())


async def finished(turn_id: int, timeout: float | None = None) -> bool:
    """Waits for the reply of a turn, wherever it runs; False when it takes longer (seconds)."""
    limit = timeout if timeout is not None else settings.TURN_DEADLINE + 5
    until = time.monotonic() + limit
    task = _tasks.get(turn_id)
    if task is not None:
        await asyncio.wait({task}, timeout=limit)
    while not await in_database(_is_done, turn_id):
        if time.monotonic() > until:
            return False
        await asyncio.sleep(0.2)
    return True


def _is_done(turn_id: int) -> bool:
    """Done, or gone with an interview that was withdrawn or deleted."""
    return not Turn.objects.filter(pk=turn_id).exclude(status=Turn.Status.DONE).exists()


async def fresh(session_id: UUID) -> Session:
    """The session as it stands now."""
    sessions = with_question(Session.objects.select_related("participant", "bot"))
    return await in_database(sessions.get, pk=session_id)
