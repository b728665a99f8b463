"""One turn from the claim to the commit: understood, decided, spoken, guarded, committed, shown."""

import asyncio
import logging
import time
import traceback
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

from django.conf import settings
from django.db import DatabaseError

from interviews import events, store
from interviews.budgets import purse_for_turn
from interviews.comparing import compared
from interviews.engine import pipeline
from interviews.engine.masking import HIDDEN, leaks
from interviews.engine.pipeline import OnPartial
from interviews.engine.types import Inquiry, Interviewing, Move, Now
from interviews.models import Turn
from interviews.protocols import PROTOCOLS
from interviews.store import Claimed, Trace
from interviews.words import RULES, Status
from llm import gateway
from llm.budgets import settle
from llm.outcome import Outcome, Source
from llm.records import CallRecord
from llm.subject import Allowance, Purse, Subject
from llm.task import Task
from llm.threads import in_database

log = logging.getLogger(__name__)
ATTEMPTS_WITH_MODELS = 2  # after so many a turn is made without a model …
ATTEMPTS = 4  # … and after so many by putting the open question again


async def run(claimed: Claimed) -> None:
    """Runs the turn; on a fault of our own it is given back, to be run again."""
    keeper = asyncio.create_task(_keep_lease(claimed, asyncio.current_task()))
    try:
        await _run(claimed)
    except Exception as error:
        _log_failure(claimed, error)
        with suppress(DatabaseError):  # if it is away, the lease runs out by itself
            await in_database(store.release, claimed.turn)
    finally:
        keeper.cancel()


def _log_failure(claimed: Claimed, error: Exception) -> None:
    """With the error's message, unless that might quote a confidential answer."""
    turn, session = claimed.turn.pk, claimed.session.pk
    if claimed.turn.sealed is None:
        log.error("turn %s of session %s failed", turn, session, exc_info=error)
    else:
        where = "".join(traceback.format_tb(error.__traceback__))
        log.error("turn %s of session %s failed: %s\n%s", turn, session, type(error), where)


async def _keep_lease(claimed: Claimed, runner: asyncio.Task[Any] | None) -> None:
    """Renews the lease; where another has taken the turn, ours stops."""
    while True:
        await asyncio.sleep(settings.TURN_LEASE / 3)
        try:
            kept = await in_database(store.renew, claimed.turn)
        except DatabaseError:  # away for a moment: the next time may still be early enough
            continue
        if not kept:
            if runner is not None:
                runner.cancel()
            return


async def _run(claimed: Claimed) -> None:
    began = time.monotonic()
    now = await in_database(store.load, claimed, claimed.turn.attempts <= ATTEMPTS)
    protocol = PROTOCOLS[now.plan.protocol]
    purse = await in_database(purse_for_turn, claimed.session)
    try:
        await _play(claimed, now, protocol, purse, began)
    finally:
        await in_database(settle, purse)


async def _play(
    claimed: Claimed,
    now: Now[Any, Any],
    protocol: Interviewing[Any, Any],
    purse: Purse,
    began: float,
) -> None:
    asking = _Asking(claimed, now, purse)
    draft = events.DraftStream(claimed.session.pk, claimed.turn.pk)
    try:
        move, readings = await _move(claimed, protocol, now, asking, draft)
    finally:
        await draft.close()
    trace = Trace(
        readings={**_by_rules(move), **asking.as_stored(readings)},
        decision=_decision(move),
        source=source_of(move, readings),
        first_word_ms=draft.first_ms,
        total_ms=int((time.monotonic() - began) * 1000),
        calls=asking.calls,
    )
    session = await in_database(store.commit, claimed, move, trace)
    if session is not None:
        await events.changed(session.pk, session.sequence)


async def _move(
    claimed: Claimed,
    protocol: Interviewing[Any, Any],
    now: Now[Any, Any],
    asking: "_Asking",
    draft: events.DraftStream,
) -> tuple[Move[Any], Mapping[str, Outcome[Any]]]:
    if claimed.turn.attempts > ATTEMPTS:
        return _question_again(protocol, now), {}
    return await pipeline.run(protocol, now, asking.ask, draft.show)


def _question_again(protocol: Interviewing[Any, Any], now: Now[Any, Any]) -> Move[Any]:
    """The last resort against a turn that fails each time: the interview goes on."""
    again = protocol.again(now)
    return Move(
        state=now.state,
        utterances=(again,),
        reason="turn_failed",
        masked=HIDDEN,
        details=protocol.standing(now),
    )


class _Asking:
    """Puts a turn's inquiries to the gateway and keeps what was asked."""

    def __init__(self, claimed: Claimed, now: Now[Any, Any], purse: Purse) -> None:
        self.calls: list[CallRecord] = []
        self._tasks: dict[str, Task[Any, Any]] = {}
        self._confided = now.answer if claimed.turn.sealed is not None else ""
        most = PROTOCOLS[now.plan.protocol].most_calls
        self._subject = Subject(
            session=str(claimed.session.pk),
            turn=claimed.turn.number,
            bot=now.plan.bot,
            models=now.plan.models,
            deadline=time.monotonic() + settings.TURN_DEADLINE,
            silenced=_silence(claimed.turn),
            allowance=None if most is None else Allowance(most),
            purse=purse,
            record=self.calls.append,
        )

    async def ask(self, inquiry: Inquiry, heard: OnPartial) -> Outcome[Any]:
        self._tasks[inquiry.key] = inquiry.task
        subject = self._subject_for(inquiry)
        outcome = await gateway.ask(inquiry.task, inquiry.data, subject, heard)
        return await compared(outcome, inquiry.earlier)

    def _subject_for(self, inquiry: Inquiry) -> Subject:
        """No model is asked where it would be told an address or a number given in confidence."""
        if self._confided and leaks(inquiry.data.model_dump_json(), self._confided):
            return replace(self._subject, silenced="the answer is confidential")
        return self._subject

    def as_stored(self, readings: Mapping[str, Outcome[Any]]) -> dict[str, Any]:
        """Readings as JSON, with the task that types them."""
        return {
            key: {
                "task": self._tasks[key].name,
                "value": _plain(reading.value),
                "source": reading.source,
                "reason": reading.reason,
                **({"echoes": reading.echoes} if reading.echoes else {}),
            }
            for key, reading in readings.items()
        }


def _silence(turn: Turn) -> str:
    """Why no model is asked in that turn; empty where one is."""
    if turn.attempts > ATTEMPTS_WITH_MODELS:
        return "earlier attempts at this turn failed"
    if turn.number > settings.SESSION_TURNS:
        return f"the interview has had {settings.SESSION_TURNS} turns"
    return ""


def _plain(value: Any) -> Any:
    return value if isinstance(value, str) else value.model_dump(mode="json")


def _by_rules(move: Move[Any]) -> dict[str, Any]:
    """What rules read, beside the readings of models; it comes back on replay."""
    return {
        key: {"task": "", "value": value, "source": RULES, "reason": ""}
        for key, value in move.read_by_rules.items()
    }


def _decision(move: Move[Any]) -> dict[str, Any]:
    return {
        "reason": move.reason,
        "spoken_by": list(move.spoken_by),
        "firings": [
            {"guard": f.guard, "reason": f.reason, "before": f.before} for f in move.firings
        ],
        "details": dict(move.details),
        "flagged": move.flagged,
        "ended": move.status != Status.WAITING_ANSWER,
    }


def source_of(move: Move[Any], readings: Mapping[str, Outcome[Any]]) -> str:
    """Who made the words: rules, or the least trusted of the readings that were used."""
    order = [Source.FALLBACK, Source.FALLBACK_MODEL, Source.MODEL]
    used = {readings[key].source for key in move.spoken_by if key in readings}
    return next((str(source) for source in order if source in used), RULES)
