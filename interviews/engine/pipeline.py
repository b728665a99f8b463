import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any, ParamSpec, TypeVar

from interviews.choices import EntryKind, SpeakerRole
from interviews.engine.common_rules import (
    decide,
    for_protocol,
    preview,
    read,
    rule_for,
    rules_reading,
    with_reading,
)
from interviews.engine.contact_data.masking import HIDDEN
from interviews.engine.context import AnyContext, M, S, TurnContext
from interviews.engine.protocol import AnyProtocol
from interviews.engine.reading import AnswerReading, RulesReading
from interviews.engine.result import AnyResult, NeedsCalls, TaskCall, TurnResult
from llm.concurrency.loops import PerLoop
from llm.tasks.outcome import Outcome

P = ParamSpec("P")
T = TypeVar("T")
OnPartial = Callable[[Mapping[str, Any]], None]
Ask = Callable[[TaskCall, OnPartial], Awaitable[Outcome[Any]]]
Show = Callable[[str], None]
BATCH = 0.1  # seconds in which the words of a draft are gathered, once the first are shown
LONG = 2_000  # characters; longer answers take so long to read that a thread does it
MAX_CALLS = 24  # in one turn
# one at a time: several would be no faster, and keep the interpreter from the event loop
_threads = PerLoop(lambda: asyncio.Semaphore(1))


class NeverSettles(Exception):
    """The protocol waits for nothing or asks without end: a mistake in the protocol."""


async def run(
    protocol: AnyProtocol, ctx: AnyContext, ask: Ask, show: Show
) -> tuple[AnyResult, dict[str, Outcome[Any]]]:
    """Run one turn; return its result and the outcome of every call that it rests on.

    `ask` makes one call and never raises for a model's faults. `show` is given the whole draft each
    time it grows.
    """
    ctx, calls = without_distress(ctx), _RunningCalls(ask)
    work = _in_thread if len(ctx.answer) > LONG else _at_once
    rules = await work(rules_reading, protocol, ctx)
    decided_on: tuple[int, AnswerReading | None] | None = None
    try:
        while True:
            results, partials = dict(calls.results), dict(calls.partials)
            reading = read(protocol, ctx, rules, results, partials)
            if decided_on != (known := (len(results), reading)):
                step = await work(decide, protocol, ctx, results, rules, partials)
                decided_on = known
            if isinstance(step, TurnResult):
                struck, position = step.strike, ctx.received.position
                return step, struck.results(results, position) if struck else results
            ahead = _prefetched(protocol, with_reading(ctx, reading), calls)
            calls.update(NeedsCalls((*step.inquiries, *ahead)))
            draft = preview(protocol, ctx, rules, calls.results, calls.partials)
            show(draft)
            await calls.wait(BATCH if draft else 0.0)
    finally:
        await calls.cancel_all()


async def _in_thread(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    async with _threads.get():
        return await asyncio.to_thread(function, *args, **kwargs)


async def _at_once(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    return function(*args, **kwargs)


def without_distress(ctx: TurnContext[S, M]) -> TurnContext[S, M]:
    """Leave out the care text and hide the answers around it, so that no model asks about them."""
    lines = ctx.transcript
    care = {index for index, line in enumerate(lines) if line.kind == EntryKind.CARE}
    beside = {index + step for index in care for step in (-1, 1)}
    kept = tuple(
        replace(line, text=HIDDEN, kind=EntryKind.CARE_REPLY)
        if index in beside and line.role == SpeakerRole.PARTICIPANT
        else line
        for index, line in enumerate(lines)
        if index not in care
    )
    return replace(ctx, transcript=kept, care_shown=bool(care))


def _prefetched(
    protocol: AnyProtocol, ctx: AnyContext, calls: "_RunningCalls"
) -> tuple[TaskCall, ...]:
    if rule_for(protocol, ctx):
        return ()
    return protocol.prefetch(for_protocol(ctx), calls.results, calls.partials)


class _RunningCalls:
    """The calls of one turn: each started once, and cancelled when no longer needed."""

    def __init__(self, ask: Ask) -> None:
        self.results: dict[str, Outcome[Any]] = {}
        self.partials: dict[str, Mapping[str, Any]] = {}
        self._ask = ask
        self._running: dict[str, asyncio.Task[None]] = {}
        self._cancelled: list[asyncio.Task[None]] = []
        self._started = 0
        self._changed, self._ended = asyncio.Event(), asyncio.Event()

    def update(self, need: NeedsCalls) -> None:
        wanted = {call.key: call for call in need.inquiries}
        for key in self._running.keys() - wanted.keys():
            self._cancel(key)
        for key in wanted.keys() - self.results.keys() - self._running.keys():
            self._start(wanted[key])
        if not self._running:
            raise NeverSettles(f"nothing left to wait for among {sorted(wanted)}")

    def _cancel(self, key: str) -> None:
        task = self._running.pop(key)
        task.cancel()
        self._cancelled.append(task)
        self.partials.pop(key, None)

    def _start(self, call: TaskCall) -> None:
        self._started += 1
        if self._started > MAX_CALLS:
            raise NeverSettles(f"more than {MAX_CALLS} inquiries in one turn")
        self._running[call.key] = asyncio.create_task(self._run(call))

    async def _run(self, call: TaskCall) -> None:
        def on_partial(partial: Mapping[str, Any]) -> None:
            self.partials[call.key] = partial
            self._changed.set()

        try:
            self.results[call.key] = await self._ask(call, on_partial)
        finally:
            self._changed.set()
            self._ended.set()

    async def wait(self, batch: float) -> None:
        """Wait for more words, for at least `batch` seconds, or the end of a call."""
        await self._changed.wait()
        if batch and not self._ended.is_set():
            with suppress(TimeoutError):
                async with asyncio.timeout(batch):
                    await self._ended.wait()
        self._changed.clear()
        self._ended.clear()
        for key, task in list(self._running.items()):
            if task.done():
                self._running.pop(key)
                task.result()  # raises errors in our own code

    async def cancel_all(self) -> None:
        for key in list(self._running):
            self._cancel(key)
        await asyncio.gather(*self._cancelled, return_exceptions=True)


def replay(
    protocol: AnyProtocol, ctx: AnyContext, results: Mapping[str, Outcome[Any]]
) -> AnyResult:
    """Return the result that these outcomes led to; no model is called. Raises NeverSettles.

    A turn that no model has read was read by rules.
    """
    ctx = without_distress(ctx)
    rules = rules_reading(protocol, ctx)
    if read(protocol, ctx, rules, results, {}) is None:
        rules = RulesReading(rules.floor, rules.floor)
    step = decide(protocol, ctx, results, rules)
    if isinstance(step, NeedsCalls):
        missing = {call.key for call in step.inquiries} - results.keys()
        raise NeverSettles(f"not among the stored readings: {sorted(missing)}")
    return step
