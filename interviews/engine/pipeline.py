"""The turn as a plain loop: ask what the protocol needs, show what is certain, until it moves."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from interviews.engine.common_rules import Heard, calm, hear, lead, undecided
from interviews.engine.context import TurnContext
from interviews.engine.protocol import InterviewProtocol
from interviews.engine.result import NeedsCalls, TaskCall, TurnResult
from llm.tasks.outcome import Outcome

OnPartial = Callable[[Mapping[str, Any]], None]
Ask = Callable[[TaskCall, OnPartial], Awaitable[Outcome[Any]]]
Show = Callable[[str], None]
LONG = 2_000  # characters of an answer that take so long to look through that others would wait
MOST_INQUIRIES = 24  # a turn that asks more is a protocol that never settles


class NeverSettles(Exception):
    """A protocol waits for nothing, or asks without end: a mistake in the protocol."""


async def run(
    protocol: InterviewProtocol[Any, Any], ctx: TurnContext[Any, Any], ask: Ask, show: Show
) -> tuple[TurnResult[Any], dict[str, Outcome[Any]]]:
    """One turn.

    In: `ask` puts one inquiry to a model (it never raises for a model's faults), `show` takes the
    whole draft as it grows. Out: the move, and every reading that it rests on.
    """
    ctx, under_way = calm(ctx), _UnderWay(ask)
    heard = await _heard(ctx)
    try:
        while True:
            step = lead(protocol, ctx, under_way.results, heard)
            if isinstance(step, TurnResult):
                return step, under_way.results
            ahead = protocol.prefetch(ctx, under_way.results, under_way.partials)
            under_way.want(NeedsCalls((*step.inquiries, *ahead)))
            if not undecided(heard, under_way.results):
                show(protocol.preview(ctx, under_way.results, under_way.partials))
            await under_way.news()
    finally:
        await under_way.drop_all()


async def _heard(ctx: TurnContext[Any, Any]) -> Heard:
    """What the common rules hear in the answer; a long one doesn't hold up other interviews."""
    if len(ctx.answer) > LONG:
        return await asyncio.to_thread(hear, ctx)
    return hear(ctx)


class _UnderWay:
    """The inquiries of one turn: started once, heard as they grow, dropped when not needed."""

    def __init__(self, ask: Ask) -> None:
        self.results: dict[str, Outcome[Any]] = {}
        self.partials: dict[str, Mapping[str, Any]] = {}
        self._ask = ask
        self._running: dict[str, asyncio.Task[None]] = {}
        self._dropped: list[asyncio.Task[None]] = []
        self._begun = 0
        self._changed = asyncio.Event()

    def want(self, need: NeedsCalls) -> None:
        wanted = {inquiry.key: inquiry for inquiry in need.inquiries}
        for key in self._running.keys() - wanted.keys():
            self._drop(key)
        for key in wanted.keys() - self.results.keys() - self._running.keys():
            self._begin(wanted[key])
        if not self._running:
            raise NeverSettles(f"nothing left to wait for among {sorted(wanted)}")

    def _drop(self, key: str) -> None:
        task = self._running.pop(key)
        task.cancel()
        self._dropped.append(task)
        self.partials.pop(key, None)

    def _begin(self, inquiry: TaskCall) -> None:
        self._begun += 1
        if self._begun > MOST_INQUIRIES:
            raise NeverSettles(f"more than {MOST_INQUIRIES} inquiries in one turn")
        self._running[inquiry.key] = asyncio.create_task(self._read(inquiry))

    async def _read(self, inquiry: TaskCall) -> None:
        def heard(partial: Mapping[str, Any]) -> None:
            self.partials[inquiry.key] = partial
            self._changed.set()

        try:
            self.results[inquiry.key] = await self._ask(inquiry, heard)
        finally:
            self._changed.set()

    async def news(self) -> None:
        """Waits until something was read; a fault in our own code comes out here."""
        await self._changed.wait()
        self._changed.clear()
        for key, task in list(self._running.items()):
            if task.done():
                self._running.pop(key)
                task.result()

    async def drop_all(self) -> None:
        for key in list(self._running):
            self._drop(key)
        await asyncio.gather(*self._dropped, return_exceptions=True)


def replay(
    protocol: InterviewProtocol[Any, Any],
    ctx: TurnContext[Any, Any],
    results: Mapping[str, Outcome[Any]],
) -> TurnResult[Any]:
    """The move that these readings led to, without asking anybody. Raises NeverSettles."""
    ctx = calm(ctx)
    heard = hear(ctx)
    if undecided(heard, results):  # made before models were asked about hints
        heard = ""
    step = lead(protocol, ctx, results, heard)
    if isinstance(step, NeedsCalls):
        missing = {inquiry.key for inquiry in step.inquiries} - results.keys()
        raise NeverSettles(f"not among the stored readings: {sorted(missing)}")
    return step
