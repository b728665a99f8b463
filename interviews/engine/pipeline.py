import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from interviews.engine.common_rules import decide, is_undecided, match_rule, without_distress
from interviews.engine.context import AnyContext
from interviews.engine.protocol import AnyProtocol
from interviews.engine.result import AnyResult, NeedsCalls, TaskCall, TurnResult
from llm.tasks.outcome import Outcome

OnPartial = Callable[[Mapping[str, Any]], None]
Ask = Callable[[TaskCall, OnPartial], Awaitable[Outcome[Any]]]
Show = Callable[[str], None]
LONG = 2_000  # characters; longer answers take so long to read that a thread does it
MAX_CALLS = 24  # in one turn


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
    in_thread = len(ctx.answer) > LONG
    rule = await asyncio.to_thread(match_rule, ctx) if in_thread else match_rule(ctx)
    try:
        while True:
            step = decide(protocol, ctx, calls.results, rule)
            if isinstance(step, TurnResult):
                return step, calls.results
            prefetched = protocol.prefetch(ctx, calls.results, calls.partials)
            calls.update(NeedsCalls((*step.inquiries, *prefetched)))
            if not is_undecided(rule, calls.results):
                show(protocol.preview(ctx, calls.results, calls.partials))
            await calls.wait()
    finally:
        await calls.cancel_all()


class _RunningCalls:
    """The calls of one turn: each started once, and cancelled when no longer needed."""

    def __init__(self, ask: Ask) -> None:
        self.results: dict[str, Outcome[Any]] = {}
        self.partials: dict[str, Mapping[str, Any]] = {}
        self._ask = ask
        self._running: dict[str, asyncio.Task[None]] = {}
        self._cancelled: list[asyncio.Task[None]] = []
        self._started = 0
        self._changed = asyncio.Event()

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

    async def wait(self) -> None:
        await self._changed.wait()
        self._changed.clear()
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
    """Return the result that these outcomes led to; no model is called. Raises NeverSettles."""
    ctx = without_distress(ctx)
    rule = match_rule(ctx)
    if is_undecided(rule, results):  # made before models were asked about hints
        rule = ""
    step = decide(protocol, ctx, results, rule)
    if isinstance(step, NeedsCalls):
        missing = {call.key for call in step.inquiries} - results.keys()
        raise NeverSettles(f"not among the stored readings: {sorted(missing)}")
    return step
