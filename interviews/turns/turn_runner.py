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

from interviews.choices import RULES, SessionStatus
from interviews.engine import pipeline
from interviews.engine.contact_data.masking import HIDDEN, leaks
from interviews.engine.context import TurnContext
from interviews.engine.pipeline import OnPartial
from interviews.engine.protocol import InterviewProtocol
from interviews.engine.result import TaskCall, TurnResult
from interviews.models import Turn
from interviews.protocols import PROTOCOLS
from interviews.turns import events, store
from interviews.turns.budgets import budget_for_turn
from interviews.turns.store import ClaimedTurn, TurnTrace
from llm import gateway
from llm.concurrency.threads import in_database
from llm.costs.budgets import settle
from llm.tasks.call_context import Budget, CallContext, CallLimit
from llm.tasks.outcome import Outcome, Source
from llm.tasks.records import CallRecord
from llm.tasks.task import Task

log = logging.getLogger(__name__)
ATTEMPTS_WITH_MODELS = 2  # after so many a turn is made without a model …
ATTEMPTS = 4  # … and after so many by putting the open question again


async def run(claimed: ClaimedTurn) -> None:
    """Run the turn; after an unexpected error, release it so that it is run again."""
    keeper = asyncio.create_task(_keep_lease(claimed, asyncio.current_task()))
    try:
        await _run(claimed)
    except Exception as error:
        _log_failure(claimed, error)
        with suppress(DatabaseError):  # if it is away, the lease runs out by itself
            await in_database(store.release, claimed.turn)
    finally:
        keeper.cancel()


def _log_failure(claimed: ClaimedTurn, error: Exception) -> None:
    """Log the error, without its message where that might quote a confidential answer."""
    turn, session = claimed.turn.pk, claimed.session.pk
    if claimed.turn.sealed is None:
        log.error("turn %s of session %s failed", turn, session, exc_info=error)
    else:
        where = "".join(traceback.format_tb(error.__traceback__))
        log.error("turn %s of session %s failed: %s\n%s", turn, session, type(error), where)


async def _keep_lease(claimed: ClaimedTurn, runner: asyncio.Task[Any] | None) -> None:
    """Renew the lease; cancel the runner if another process has taken the turn."""
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


async def _run(claimed: ClaimedTurn) -> None:
    began = time.monotonic()
    now = await in_database(store.load, claimed, claimed.turn.attempts <= ATTEMPTS)
    protocol = PROTOCOLS[now.plan.protocol]
    budget = await in_database(budget_for_turn, claimed.session)
    try:
        await _play(claimed, now, protocol, budget, began)
    finally:
        await in_database(settle, budget)


async def _play(
    claimed: ClaimedTurn,
    ctx: TurnContext[Any, Any],
    protocol: InterviewProtocol[Any, Any],
    budget: Budget,
    began: float,
) -> None:
    asking = _TurnCalls(claimed, ctx, budget)
    draft = events.DraftStream(claimed.session.pk, claimed.turn.pk)
    try:
        move, results = await _move(claimed, protocol, ctx, asking, draft)
    finally:
        await draft.close()
    trace = TurnTrace(
        readings={**_by_rules(move), **asking.as_stored(results)},
        decision=_decision(move),
        source=source_of(move, results),
        first_word_ms=draft.first_ms,
        total_ms=int((time.monotonic() - began) * 1000),
        calls=asking.calls,
    )
    session = await in_database(store.commit, claimed, move, trace)
    if session is not None:
        await events.changed(session.pk, session.sequence)


async def _move(
    claimed: ClaimedTurn,
    protocol: InterviewProtocol[Any, Any],
    ctx: TurnContext[Any, Any],
    asking: "_TurnCalls",
    draft: events.DraftStream,
) -> tuple[TurnResult[Any], Mapping[str, Outcome[Any]]]:
    if claimed.turn.attempts > ATTEMPTS:
        return _question_again(protocol, ctx), {}
    return await pipeline.run(protocol, ctx, asking.ask, draft.show)


def _question_again(
    protocol: InterviewProtocol[Any, Any], ctx: TurnContext[Any, Any]
) -> TurnResult[Any]:
    """The last resort against a turn that fails each time: the interview goes on."""
    again = protocol.repeat_question(ctx)
    return TurnResult(
        state=ctx.state,
        utterances=(again,),
        reason="turn_failed",
        masked=HIDDEN,
        details=protocol.trace_details(ctx),
    )


class _TurnCalls:
    """Ask the gateway a turn's inquiries, and remember their tasks and calls."""

    def __init__(self, claimed: ClaimedTurn, ctx: TurnContext[Any, Any], budget: Budget) -> None:
        self.calls: list[CallRecord] = []
        self._tasks: dict[str, Task[Any, Any]] = {}
        self._confided = ctx.answer if claimed.turn.sealed is not None else ""
        most = PROTOCOLS[ctx.plan.protocol].most_calls
        self._subject = CallContext(
            session=str(claimed.session.pk),
            turn=claimed.turn.number,
            bot=ctx.plan.bot,
            models=ctx.plan.models,
            deadline=time.monotonic() + settings.TURN_DEADLINE,
            disabled_reason=_silence(claimed.turn),
            limit=None if most is None else CallLimit(most),
            budget=budget,
            record=self.calls.append,
        )

    async def ask(self, inquiry: TaskCall, heard: OnPartial) -> Outcome[Any]:
        self._tasks[inquiry.key] = inquiry.task
        subject = self._subject_for(inquiry)
        return await gateway.ask(inquiry.task, inquiry.data, subject, heard)

    def _subject_for(self, inquiry: TaskCall) -> CallContext:
        """No model is asked where it would be told an address or a number given in confidence."""
        if self._confided and leaks(inquiry.data.model_dump_json(), self._confided):
            return replace(self._subject, disabled_reason="the answer is confidential")
        return self._subject

    def as_stored(self, results: Mapping[str, Outcome[Any]]) -> dict[str, Any]:
        """Return the readings as JSON, each with the name of the task that types its value."""
        return {
            key: {
                "task": self._tasks[key].name,
                "value": _plain(reading.value),
                "source": reading.source,
                "reason": reading.reason,
            }
            for key, reading in results.items()
        }


def _silence(turn: Turn) -> str:
    """Return why no model may be asked in this turn, or an empty string."""
    if turn.attempts > ATTEMPTS_WITH_MODELS:
        return "earlier attempts at this turn failed"
    if turn.number > settings.SESSION_TURNS:
        return f"the interview has had {settings.SESSION_TURNS} turns"
    return ""


def _plain(value: Any) -> Any:
    return value if isinstance(value, str) else value.model_dump(mode="json")


def _by_rules(move: TurnResult[Any]) -> dict[str, Any]:
    """Return what rules read, in the form of models' readings: replay needs it too."""
    return {
        key: {"task": "", "value": value, "source": RULES, "reason": ""}
        for key, value in move.read_by_rules.items()
    }


def _decision(move: TurnResult[Any]) -> dict[str, Any]:
    return {
        "reason": move.reason,
        "spoken_by": list(move.spoken_by),
        "firings": [
            {"guard": f.guard, "reason": f.reason, "before": f.before} for f in move.firings
        ],
        "details": dict(move.details),
        "flagged": move.flagged,
        "ended": move.status != SessionStatus.WAITING_ANSWER,
    }


def source_of(move: TurnResult[Any], results: Mapping[str, Outcome[Any]]) -> str:
    """Who made the words: rules, or the least trusted of the readings that were used."""
    order = [Source.FALLBACK, Source.FALLBACK_MODEL, Source.MODEL]
    used = {results[key].source for key in move.spoken_by if key in results}
    return next((str(source) for source in order if source in used), RULES)
