"""The one way to ask a model: render, call, read, repair once, else the next model, else fall back.

Whatever a provider or a model does, a value comes back, in time, with its source and the reason.
"""

import asyncio
import random
import time
from dataclasses import dataclass, field
from typing import Generic, TypeVar, cast

from django.conf import settings
from pydantic import BaseModel

from llm.calls.call import Call, as_json, outcome_of, without_keys
from llm.calls.log import keep
from llm.calls.parse import Usable, clean, read
from llm.calls.partial import Draft, OnPartial
from llm.calls.repair import repaired
from llm.calls.schema import shape
from llm.costs import budgets
from llm.providers.base import Fault, ModelRequest, ProviderError, Stop
from llm.routing.breaker import Asked, Breaker, breaker, rest, rests
from llm.routing.routes import Route, routes
from llm.routing.slots import slot
from llm.tasks.call_context import CallContext
from llm.tasks.outcome import Outcome, Source
from llm.tasks.records import CallOutcome, CallRecord
from llm.tasks.task import Task
from llm.tasks.templates import Prompt, render

In = TypeVar("In", bound=BaseModel)
Out = TypeVar("Out")

MAX_BACKOFF = 8.0  # seconds
MAX_RETRY_AFTER = 60.0  # seconds that a provider may ask to wait where there is no deadline
TOO_LITTLE = 0.05  # seconds before the deadline in which nothing is begun any more
IMPATIENT = 2.0  # seconds that are waited at most while another model is left to ask
RESTING = "resting after failures"


class Unanswered(Exception):
    """A route gave no usable answer; the text says why."""


async def ask(
    task: Task[In, Out], data: In, subject: CallContext, on_partial: OnPartial | None = None
) -> Outcome[Out]:
    """Answer `task` about `data` on the subject's behalf; never raises for what a model does.

    `on_partial` gets the result as far as it has been read out of the stream (`{"text": …}` for
    text), and `{}` when what it got is dropped and starts anew.
    """
    asking = _Asking(task, data, subject, Draft(task.output, on_partial))
    return await asking.outcome()


@dataclass(slots=True)
class _Asking(Generic[In, Out]):
    """One question: what all its attempts share."""

    task: Task[In, Out]
    data: In
    subject: CallContext
    draft: Draft
    attempts: int = 0
    faulty: bool = False  # whether a provider has failed, the request being right
    reasons: list[str] = field(default_factory=list)
    began: float = field(default_factory=time.monotonic)

    async def outcome(self) -> Outcome[Out]:
        if self.subject.disabled_reason:
            return self._fallback(self.subject.disabled_reason)
        options = routes(self.task, self.subject)
        if not options:
            return self._fallback("offline")
        asked = Asked(self.task.name, tuple((route.name, route.model) for route in options))
        if rests(asked):
            return self._fallback(RESTING)
        prompt = render(self.task, self.data)
        for route in options:
            try:
                value = await _Route(self, route, prompt, last=route is options[-1]).answer()
                return Outcome(value, route.source, "; ".join(self.reasons))
            except Unanswered as why:
                self.draft.drop()
                self.reasons.append(str(why))
        if self.task.retries and self.faulty:
            rest(asked, self.task.retries.rest)
        return self._fallback("; ".join(dict.fromkeys(self.reasons)))

    def _fallback(self, reason: str) -> Outcome[Out]:
        return Outcome(self.task.fallback(self.data), Source.FALLBACK, reason)

    def left(self) -> float | None:
        """Seconds until the deadline; Unanswered if it is over."""
        deadline = self._deadline()
        if deadline is None:
            return None
        left = deadline - time.monotonic()
        if left <= TOO_LITTLE:
            raise Unanswered("deadline")
        return left

    def _deadline(self) -> float | None:
        retries, deadline = self.task.retries, self.subject.deadline
        if retries is None:
            return deadline
        own = self.began + retries.in_all
        return own if deadline is None else min(own, deadline)


@dataclass(slots=True)
class _Route(Generic[In, Out]):
    """One model being asked: attempts, pauses between them, one repair."""

    asking: _Asking[In, Out]
    route: Route
    prompt: Prompt
    last: bool
    faults: int = 0

    async def answer(self) -> Out:
        """The value; Unanswered if this model gives none."""
        task = self.asking.task
        request, why = self._request(), ""
        for outcome in (CallOutcome.OK, CallOutcome.REPAIRED):
            call, stop = await self._reply(request)
            result = read(clean(call.text), stop, task.output, task.plain)
            if isinstance(result, Usable):
                await self._record(call, outcome)
                return result.value
            why = f"{self.route.name}: {result.outcome}"
            await self._record(call, result.outcome, result.errors)
            self.asking.draft.drop()
            again = repaired(request, call.text, result)
            if again is None:
                break
            request = again
        raise Unanswered(why)

    def _request(self) -> ModelRequest:
        task = self.asking.task
        plain = task.output is str
        return ModelRequest(
            task=task.name,
            model=self.route.model,
            system=self.prompt.system,
            messages=self.prompt.messages,
            shape=None if plain else shape(cast(type[BaseModel], task.output)),
            max_tokens=task.max_tokens,
            temperature=task.temperature,
        )

    # A loop by hand: whether and how long to wait depends on the breaker, the deadline, what the
    # provider asked for and whether another model is left, which retry libraries take as callbacks.
    async def _reply(self, request: ModelRequest) -> tuple[Call, Stop]:
        while True:
            try:
                async with slot(self.route.name, self.asking.left()):
                    return await self._call(request, self._limit())
            except TimeoutError:
                raise Unanswered(f"{self.route.name}: all slots taken") from None
            except ProviderError as error:
                self.faults += 1
                self.asking.draft.drop()
                await asyncio.sleep(self._pause(error))

    def _pause(self, error: ProviderError) -> float:
        """Seconds until the next attempt; Unanswered if there is to be none."""
        why = Unanswered(f"{self.route.name}: {error.fault}")
        silent = error.fault is Fault.TIMEOUT and not self.last
        retries = self.asking.task.retries
        attempts = len(retries.pauses) + 1 if retries else settings.LLM_ATTEMPTS
        if error.permanent or silent or self.faults >= attempts:
            raise why from error
        backoff = retries.pauses[self.faults - 1] if retries else _backoff(self.faults)
        pause = max(backoff, error.retry_after or 0.0)
        if pause >= self._patience():
            raise why from error
        return pause

    def _patience(self) -> float:
        left = self.asking.left()
        patience = MAX_RETRY_AFTER if left is None else left
        return patience if self.last else min(patience, IMPATIENT)

    async def _call(self, request: ModelRequest, limit: float) -> tuple[Call, Stop]:
        """One call; a failed or cancelled one is recorded here."""
        if spent := await budgets.refusal(self.asking.subject.budget):
            raise Unanswered(spent)
        guard = breaker(self.route.name, self.asking.task.tier)
        if not guard.admits():
            raise Unanswered(f"{self.route.name}: {RESTING}")
        allowance = self.asking.subject.limit
        if allowance is not None and not allowance.take():
            guard.left()
            raise Unanswered("no calls are left for this turn")
        self.asking.attempts += 1
        call = Call(request, self.asking.attempts)
        try:
            stop = await self._paid(call, limit)
        except ProviderError as error:
            self._blame(guard, error)
            await self._record(call, outcome_of(error), str(error))
            raise
        except BaseException as error:
            guard.left()
            await self._record(call, CallOutcome.CANCELLED, type(error).__name__)
            raise
        guard.succeeded()
        return call, stop

    async def _paid(self, call: Call, limit: float) -> Stop:
        """The reply, charged however it ends, before the next call takes its slot."""
        try:
            return await call.run(self.route.provider, limit, self.asking.draft.feed)
        finally:
            await budgets.charge(self.asking.subject.budget, self._as_record(call, CallOutcome.OK))

    def _blame(self, guard: Breaker, error: ProviderError) -> None:
        """A request that was wrong in itself says nothing about the provider's health."""
        if error.fault is Fault.BAD_REQUEST:
            guard.left()
        else:
            guard.failed()
            self.asking.faulty = True

    def _limit(self) -> float:
        left = self.asking.left()
        timeout = self.asking.task.timeout
        return timeout if left is None else min(timeout, left)

    async def _record(self, call: Call, outcome: CallOutcome, error: str = "") -> None:
        await keep(self._as_record(call, outcome, error), self.asking.subject.record)

    def _as_record(self, call: Call, outcome: CallOutcome, error: str = "") -> CallRecord:
        subject, task = self.asking.subject, self.asking.task
        return CallRecord(
            session=subject.session,
            turn=subject.turn,
            bot=subject.bot,
            task=task.name,
            template_version=self.prompt.version,
            provider=self.route.name,
            model=call.model or self.route.model,
            tier=task.tier,
            request=as_json(call.request),
            response=clean(call.text),
            input_tokens=call.usage.input_tokens,
            output_tokens=call.usage.output_tokens,
            cache_read_tokens=call.usage.cache_read_tokens,
            cache_write_tokens=call.usage.cache_write_tokens,
            first_token_ms=call.first_token_ms(),
            total_ms=call.total_ms(),
            attempt=call.attempt,
            outcome=outcome,
            error=without_keys(error),
        )


def _backoff(faults: int) -> float:
    longest = min(MAX_BACKOFF, float(settings.LLM_BACKOFF) * float(2 ** (faults - 1)))
    return longest * random.uniform(0.5, 1.0)  # noqa: S311  (jitter, no secret)
