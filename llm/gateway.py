"""The one way to ask a model: render, call, parse, repair once, try the next model, fall back.

Whatever a provider or model does, `ask` returns a value in time, with its source and the reason.
"""

import asyncio
import random
import time
from dataclasses import asdict, dataclass, field, replace
from typing import Generic, TypeVar, cast

from django.conf import settings
from pydantic import BaseModel

from llm.calls.call import Call, failure_outcome, loggable_request, redact_keys
from llm.calls.log import log_call
from llm.calls.parse import Unusable, Usable, clean, read, repair_request
from llm.calls.partial import Draft, OnPartial
from llm.calls.schema import shape
from llm.costs import budgets
from llm.costs.prices import CHARACTERS_A_TOKEN
from llm.providers.base import Fault, ModelRequest, ProviderError, Stop, Usage
from llm.routing.breaker import Breaker, breaker, is_resting, start_rest
from llm.routing.routes import Route, routes
from llm.routing.slots import slot
from llm.tasks.call_context import CallContext
from llm.tasks.outcome import OFFLINE, Outcome, Source
from llm.tasks.records import CallOutcome, CallRecord
from llm.tasks.task import Task
from llm.tasks.templates import Prompt, render

In = TypeVar("In", bound=BaseModel)
Out = TypeVar("Out")

MAX_BACKOFF = 8.0  # seconds
MAX_RETRY_AFTER = 60.0  # seconds that a provider may ask to wait if there is no deadline
MIN_TIME_LEFT = 0.05  # seconds before the deadline in which no call is started
MAX_PAUSE = 2.0  # seconds to wait if there is another model to ask
RESTING = "resting after failures"


class Unanswered(Exception):
    """A route gave no usable answer, with the reason."""


async def ask(
    task: Task[In, Out], data: In, context: CallContext, on_partial: OnPartial | None = None
) -> Outcome[Out]:
    """Answer `task` about `data` on behalf of `context`; never raises for what a model does.

    `on_partial` gets the result as far as it has been streamed (`{"text": …}` for plain text), and
    `{}` when that is dropped and starts anew.
    """
    return await _Question(task, data, context, Draft(task.output, on_partial)).outcome()


@dataclass(slots=True)
class _Question(Generic[In, Out]):
    """What all attempts at one question share."""

    task: Task[In, Out]
    data: In
    context: CallContext
    draft: Draft
    attempts: int = 0
    faulty: bool = False  # whether a provider has failed on a correct request
    reasons: list[str] = field(default_factory=list)
    began: float = field(default_factory=time.monotonic)

    async def outcome(self) -> Outcome[Out]:
        if self.context.disabled_reason:
            return self._fallback(self.context.disabled_reason)
        options = routes(self.task, self.context)
        if not options:
            return self._fallback(OFFLINE)
        key = self.task.name, tuple((route.name, route.model) for route in options)
        if is_resting(key):
            return self._fallback(RESTING)
        prompt = render(self.task, self.data)
        for route in options:
            try:
                value = await _RouteCalls(self, route, prompt, last=route is options[-1]).answer()
                return Outcome(value, route.source, "; ".join(self.reasons))
            except Unanswered as why:
                self.draft.drop()
                self.reasons.append(str(why))
        if self.task.retries and self.faulty:
            start_rest(key, self.task.retries.rest)
        return self._fallback("; ".join(dict.fromkeys(self.reasons)))

    def _fallback(self, reason: str) -> Outcome[Out]:
        return Outcome(self.task.fallback(self.data), Source.FALLBACK, reason)

    def left(self) -> float | None:
        """Return the seconds until the deadline, or None. Raises Unanswered if it is over."""
        deadline = self._deadline()
        if deadline is None:
            return None
        left = deadline - time.monotonic()
        if left <= MIN_TIME_LEFT:
            raise Unanswered("deadline")
        return left

    def _deadline(self) -> float | None:
        retries, deadline = self.task.retries, self.context.deadline
        if retries is None:
            return deadline
        own = self.began + retries.in_all * float(settings.LLM_PATIENCE)
        return own if deadline is None else min(own, deadline)


@dataclass(slots=True)
class _RouteCalls(Generic[In, Out]):
    """Asks one model: attempts, pauses between them, one repair."""

    question: _Question[In, Out]
    route: Route
    prompt: Prompt
    last: bool
    faults: int = 0
    successes: int = 0  # of anybody's calls before these

    async def answer(self) -> Out:
        request, why = self._request(), ""
        self.successes = self._breaker().successes
        for outcome in (CallOutcome.OK, CallOutcome.REPAIRED):
            call, stop = await self._call_with_retries(request)
            result = self._read(call, stop)
            if isinstance(result, Usable):
                await self._log(call, CallOutcome.TIMEOUT if stop is Stop.SILENCE else outcome)
                return result.value
            why = f"{self.route.name}: {result.outcome}"
            await self._log(call, result.outcome, result.errors)
            self.question.draft.drop()
            again = repair_request(request, call.text, result)
            if again is None:
                break
            request = again
        raise Unanswered(why)

    def _read(self, call: Call, stop: Stop) -> Usable[Out] | Unusable:
        task = self.question.task
        return read(clean(call.text), stop, task.output, task.plain, task.needed)

    def _request(self) -> ModelRequest:
        task = self.question.task
        return ModelRequest(
            task=task.name,
            model=self.route.model,
            system=self.prompt.system,
            messages=self.prompt.messages,
            shape=None if task.output is str else shape(cast(type[BaseModel], task.output)),
            max_tokens=task.max_tokens,
            temperature=task.temperature,
        )

    # Written by hand because the pause depends on the breaker, the deadline, the provider's
    # Retry-After and whether another model is left; retry libraries would need callbacks for all.
    async def _call_with_retries(self, request: ModelRequest) -> tuple[Call, Stop]:
        while True:
            try:
                async with slot(self.route.name, self.question.left()):
                    return await self._call(request, self._timeout())
            except TimeoutError:
                raise Unanswered(f"{self.route.name}: all slots taken") from None
            except ProviderError as error:
                self.faults += 1
                self.question.draft.drop()
                await asyncio.sleep(self._pause_or_give_up(error))

    def _pause_or_give_up(self, error: ProviderError) -> float:
        try:
            return self._pause(error)
        except Unanswered:
            somebody_waits = self.question.context.deadline is not None
            if somebody_waits and error.fault is Fault.TIMEOUT:
                self._breaker().record_silence(self.successes)
            raise

    def _breaker(self) -> Breaker:
        return breaker(self.route.name, self.route.model)

    def _pause(self, error: ProviderError) -> float:
        """Return the seconds until the next attempt. Raises Unanswered if there is none."""
        why = Unanswered(f"{self.route.name}: {error.fault}")
        silent = error.fault is Fault.TIMEOUT and not self.last
        retries = self.question.task.retries
        attempts = len(retries.pauses) + 1 if retries else settings.LLM_ATTEMPTS
        if error.permanent or silent or self.faults >= attempts:
            raise why from error
        backoff = retries.pauses[self.faults - 1] if retries else _backoff(self.faults)
        pause = max(backoff, error.retry_after or 0.0)
        if pause >= self._longest_pause():
            raise why from error
        return pause

    def _longest_pause(self) -> float:
        left = self.question.left()
        longest = MAX_RETRY_AFTER if left is None else left
        return longest if self.last else min(longest, MAX_PAUSE)

    async def _call(self, request: ModelRequest, limit: float) -> tuple[Call, Stop]:
        """Make one call; a failed or cancelled one is logged here."""
        if spent := await budgets.refusal_reason(self.question.context.budget):
            raise Unanswered(spent)
        guard = self._breaker()
        if not guard.allows():
            raise Unanswered(f"{self.route.name}: {RESTING}")
        allowance = self.question.context.limit
        if allowance is not None and not allowance.take():
            guard.release()
            raise Unanswered("no calls are left for this turn")
        self.question.attempts += 1
        call = Call(request, self.question.attempts)
        try:
            stop = await self._run_and_charge(call, limit)
        except ProviderError as error:
            self._count_fault(guard, error)
            silent = error.fault is Fault.TIMEOUT
            if silent and isinstance(self._read(call, Stop.SILENCE), Usable):
                return call, Stop.SILENCE
            await self._log(call, failure_outcome(error), str(error))
            raise
        except BaseException as error:
            guard.release()
            await self._log(call, CallOutcome.CANCELLED, type(error).__name__)
            raise
        guard.record_success()
        return call, stop

    async def _run_and_charge(self, call: Call, limit: float) -> Stop:
        """Read the reply and charge it however it ends, before the next call takes its slot."""
        try:
            return await call.run(self.route.provider, limit, self.question.draft.feed)
        finally:
            record = self._record_of(call, CallOutcome.OK)
            await budgets.charge(self.question.context.budget, record)

    def _count_fault(self, guard: Breaker, error: ProviderError) -> None:
        if error.fault is Fault.BAD_REQUEST:
            guard.release()
        else:
            guard.record_failure()
            self.question.faulty = True

    def _timeout(self) -> float:
        left = self.question.left()
        timeout = self.question.task.timeout * float(settings.LLM_PATIENCE)
        return timeout if left is None else min(timeout, left)

    async def _log(self, call: Call, outcome: CallOutcome, error: str = "") -> None:
        await log_call(self._record_of(call, outcome, error), self.question.context.record)

    def _record_of(self, call: Call, outcome: CallOutcome, error: str = "") -> CallRecord:
        context, task = self.question.context, self.question.task
        return CallRecord(
            session=context.session,
            turn=context.turn,
            bot=context.bot,
            task=task.name,
            template_version=self.prompt.version,
            provider=self.route.name,
            model=call.model or self.route.model,
            tier=task.tier,
            request=loggable_request(call.request),
            response=clean(call.text),
            **asdict(_usage_of(call)),
            first_token_ms=call.first_token_ms(),
            total_ms=call.total_ms(),
            attempt=call.attempt,
            outcome=outcome,
            error=redact_keys(error),
        )


def _usage_of(call: Call) -> Usage:
    """Return the tokens; of a reply that was cut short at least those that its length tells.

    Anthropic counts what it has read at once, and what it has written only at the end.
    """
    if call.stop is not None or call.usage == Usage():  # the latter is estimated as a whole
        return call.usage
    written = len(call.text) // CHARACTERS_A_TOKEN
    return replace(call.usage, output_tokens=max(call.usage.output_tokens, written))


def _backoff(faults: int) -> float:
    longest = min(MAX_BACKOFF, float(settings.LLM_BACKOFF) * float(2 ** (faults - 1)))
    return longest * random.uniform(0.5, 1.0)  # noqa: S311  (jitter, no secret)
