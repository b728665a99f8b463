import asyncio
import logging
import time
import traceback
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, replace
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import DatabaseError, InterfaceError
from prometheus_client import Counter, Histogram

from interviews.choices import RULES, TURN_FAILED, SessionStatus
from interviews.engine import pipeline
from interviews.engine.contact_data.masking import HIDDEN, leaks
from interviews.engine.context import AnyContext
from interviews.engine.language.distress import in_distress
from interviews.engine.pipeline import OnPartial
from interviews.engine.protocol import AnyProtocol
from interviews.engine.result import AnyResult, TaskCall, TurnResult
from interviews.measures.effort import fields_of_turn
from interviews.models import Session, Turn
from interviews.protocols import PROTOCOLS
from interviews.turns import events, rehearsal, store
from interviews.turns.budgets import budget_for_turn
from interviews.turns.store import ClaimedTurn, TurnTrace
from llm import gateway
from llm.concurrency.loops import PerLoop
from llm.concurrency.threads import in_database
from llm.costs.budgets import settle
from llm.tasks.call_context import Budget, CallContext, CallLimit
from llm.tasks.outcome import Outcome, Source
from llm.tasks.records import CallRecord
from llm.tasks.task import Task

log = logging.getLogger(__name__)
_turns = Counter("interviewsite_turns", "Turns that were committed.", ["protocol", "source"])
_seconds = Histogram(
    "interviewsite_turn_seconds",
    "From the start of a turn until it is committed.",
    buckets=(0.1, 0.25, 0.5, 1, 2, 3, 5, 10, 20, 30),
)
ATTEMPTS_WITH_MODELS = 2  # later attempts call no model
ATTEMPTS = 4  # later ones repeat the open question, or show the care text


async def run(claimed: ClaimedTurn) -> None:
    """Run the turn; after an unexpected error, release it to be run again."""
    with _leases.get().hold(claimed.turn):
        try:
            await _run(claimed)
        except Exception as error:
            _log_failure(claimed, error)
            with suppress(DatabaseError, InterfaceError):  # the lease then runs out
                await in_database(store.release, claimed.turn)


def _log_failure(claimed: ClaimedTurn, error: Exception) -> None:
    turn, session = claimed.turn.pk, claimed.session.pk
    if claimed.turn.sealed is None:
        log.error("turn %s of session %s failed", turn, session, exc_info=error)
    else:  # the message might quote the confidential answer
        where = "".join(traceback.format_tb(error.__traceback__))
        log.error("turn %s of session %s failed: %s\n%s", turn, session, type(error), where)


class _Leases:
    """Renews the leases of all turns under way by one query, and cancels turns that lost theirs."""

    def __init__(self) -> None:
        self._held: dict[UUID, tuple[int, asyncio.Task[Any] | None]] = {}  # by owner
        self._renewal: asyncio.Task[None] | None = None

    @contextmanager
    def hold(self, turn: Turn) -> Iterator[None]:
        assert turn.lease_owner is not None  # noqa: S101  the database sees to it
        owner = turn.lease_owner
        self._held[owner] = turn.pk, asyncio.current_task()
        if self._renewal is None:
            self._renewal = asyncio.create_task(self._renew())
        try:
            yield
        finally:
            del self._held[owner]
            if not self._held and self._renewal is not None:
                self._renewal.cancel()
                self._renewal = None

    async def _renew(self) -> None:
        while True:
            await asyncio.sleep(settings.TURN_LEASE / 4)
            held = {owner: turn for owner, (turn, _runner) in self._held.items()}
            try:
                lost = await in_database(store.renew, held)
            except (DatabaseError, InterfaceError) as error:  # the next time may do
                log.warning("leases of %d turns not renewed: %s", len(held), error)
                continue
            for owner in lost:
                _turn, runner = self._held.get(owner, (0, None))
                if runner is not None:
                    runner.cancel()


_leases = PerLoop(_Leases)


async def _run(claimed: ClaimedTurn) -> None:
    began = time.monotonic()
    ctx, budget = await in_database(_load, claimed)
    if claimed.turn.attempts > 1 and not await rehearsal.may_run(ctx):
        log.error("the words of turn %s freeze a process: rules don't read them", claimed.turn.pk)
        claimed.turn.readings = store.NO_READING
        ctx = (await in_database(_load, claimed))[0]
    try:
        await _decide_and_commit(claimed, ctx, budget, began)
    finally:
        if budget.owed:
            await in_database(settle, budget)


def _load(claimed: ClaimedTurn) -> tuple[AnyContext, Budget]:
    ctx = store.load(claimed, words=claimed.turn.attempts <= ATTEMPTS)
    return ctx, budget_for_turn(claimed.session)


async def _decide_and_commit(
    claimed: ClaimedTurn, ctx: AnyContext, budget: Budget, began: float
) -> None:
    calls = _TurnCalls(claimed, ctx, budget)
    draft = events.DraftStream(claimed.session.pk, claimed.turn.pk)
    try:
        result, results = await _decide(claimed, ctx, calls, draft)
    finally:
        await draft.close()
    if store.UNREAD in claimed.turn.readings:  # what a confidential answer holds stays hidden
        result = replace(result, masked=HIDDEN, collected={})
    draft.settle("\n".join(utterance.text for utterance in result.utterances))
    trace = TurnTrace(
        readings={**claimed.turn.readings, **_rule_readings(result), **calls.as_stored(results)},
        decision={**_decision(result), "taken_back": draft.taken_back},
        source=source_of(result, results),
        first_word_ms=draft.first_ms,
        total_ms=int((time.monotonic() - began) * 1000),
        calls=calls.calls if result.strike is None else [*map(_without_texts, calls.calls)],
    )
    session = await in_database(_commit, claimed, ctx, result, trace, budget)
    if session is not None:
        _turns.labels(ctx.plan.protocol, trace.source).inc()
        _seconds.observe(trace.total_ms / 1000)
        await events.send_changed(session.pk, session.sequence)


def _commit(
    claimed: ClaimedTurn, ctx: AnyContext, result: AnyResult, trace: TurnTrace, budget: Budget
) -> Session | None:
    head_start = max(0, getattr(claimed.session, "head_start", None) or 0)
    effort = fields_of_turn(ctx, result, claimed.paradata, head_start)
    session = store.commit(claimed, result, replace(trace, effort=effort))
    settle(budget)
    return session


async def _decide(
    claimed: ClaimedTurn, ctx: AnyContext, calls: "_TurnCalls", draft: events.DraftStream
) -> tuple[AnyResult, Mapping[str, Outcome[Any]]]:
    protocol = PROTOCOLS[ctx.plan.protocol]
    if claimed.turn.attempts > ATTEMPTS:
        # distress is looked for once, since looking may be what fails
        looks = claimed.turn.attempts == ATTEMPTS + 1
        return _last_resort(protocol, ctx, looks), {}
    return await pipeline.run(protocol, ctx, calls.ask, draft.show)


def _last_resort(protocol: AnyProtocol, ctx: AnyContext, looks: bool) -> AnyResult:
    """Repeat the open question, or show the care text after clear words of distress."""
    if looks and in_distress(ctx.answer):
        return pipeline.replay(protocol, ctx, {})
    return TurnResult(
        state=ctx.state,
        utterances=(protocol.repeat_question(ctx),),
        reason=TURN_FAILED,
        masked=HIDDEN,
        details=protocol.trace_details(ctx),
    )


class _TurnCalls:
    def __init__(self, claimed: ClaimedTurn, ctx: AnyContext, budget: Budget) -> None:
        self.calls: list[CallRecord] = []
        self._tasks: dict[str, Task[Any, Any]] = {}
        self._confidential = ctx.answer if claimed.turn.sealed is not None else ""
        most = PROTOCOLS[ctx.plan.protocol].most_calls
        self._context = CallContext(
            session=str(claimed.session.pk),
            turn=claimed.turn.number,
            bot=ctx.plan.bot,
            models=ctx.plan.models,
            deadline=time.monotonic() + settings.TURN_DEADLINE,
            disabled_reason=_disabled_reason(claimed.turn),
            limit=None if most is None else CallLimit(most),
            budget=budget,
            record=self.calls.append,
        )

    async def ask(self, call: TaskCall, on_partial: OnPartial) -> Outcome[Any]:
        self._tasks[call.key] = call.task
        return await gateway.ask(call.task, call.data, self._context_for(call), on_partial)

    def _context_for(self, call: TaskCall) -> CallContext:
        if self._confidential and leaks(call.data.model_dump_json(), self._confidential):
            return replace(self._context, disabled_reason="the answer is confidential")
        return self._context

    def as_stored(self, results: Mapping[str, Outcome[Any]]) -> dict[str, Any]:
        return {
            key: {
                "task": self._tasks[key].name,
                "value": _as_json(outcome.value),
                "source": outcome.source,
                "reason": outcome.reason,
            }
            for key, outcome in results.items()
        }


def _without_texts(call: CallRecord) -> CallRecord:
    return replace(call, request={}, response="", error="")


def _disabled_reason(turn: Turn) -> str:
    if store.UNREAD in turn.readings:
        return "the words froze a process"
    if turn.attempts > ATTEMPTS_WITH_MODELS:
        return "earlier attempts at this turn failed"
    if turn.number > settings.SESSION_TURNS:
        return f"the interview has had {settings.SESSION_TURNS} turns"
    return ""


def _as_json(value: Any) -> Any:
    return value if isinstance(value, str) else value.model_dump(mode="json")


def _rule_readings(result: AnyResult) -> dict[str, Any]:
    return {
        key: {"task": "", "value": value, "source": RULES, "reason": ""}
        for key, value in result.read_by_rules.items()
    }


def _decision(result: AnyResult) -> dict[str, Any]:
    return {
        "reason": result.reason,
        "spoken_by": list(result.spoken_by),
        "firings": [asdict(firing) for firing in result.firings],
        "details": dict(result.details),
        "flagged": result.flagged,
        "ended": result.status != SessionStatus.WAITING_ANSWER,
    }


def source_of(result: AnyResult, results: Mapping[str, Outcome[Any]]) -> str:
    """Return who chose the words: rules, or the least trusted of the results used."""
    order = [Source.FALLBACK, Source.FALLBACK_MODEL, Source.MODEL]
    used = {results[key].source for key in result.spoken_by if key in results}
    return next((str(source) for source in order if source in used), RULES)
