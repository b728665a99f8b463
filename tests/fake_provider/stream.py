"""Sending a reply at its pace, and going wrong in the middle of it."""

import asyncio
from collections.abc import Iterator

from aiohttp import web

from tests.fake_provider.faults import Fault
from tests.fake_provider.state import State
from tests.fake_provider.wire import Answer, Wire

FOREVER = 3600.0
IN_MIDST = frozenset({"stall", "error_event", "cut", "garbage"})
ONE_BY_ONE = IN_MIDST | {"cut_bytes", "drip"}


class Cut(Exception):
    """The stream ends here, without its end."""


async def stream(
    request: web.Request, wire: Wire, answer: Answer, fault: Fault, state: State
) -> web.StreamResponse:
    """Send the events. Tokens that are due together are sent together, which is light."""
    response = web.StreamResponse(headers={"content-type": "text/event-stream"})
    await asyncio.sleep(0 if fault.kind == "silent" else state.ttft)
    await response.prepare(request)
    if fault.kind == "silent":
        await asyncio.sleep(FOREVER)
    sending = _Sending(response, wire, fault, state)
    try:
        await sending.all(answer)
    except Cut:
        _abort(request)
    return response


def _abort(request: web.Request) -> None:
    if request.transport:
        request.transport.close()


class _Sending:
    def __init__(
        self, response: web.StreamResponse, wire: Wire, fault: Fault, state: State
    ) -> None:
        self.response, self.wire, self.fault, self.state = response, wire, fault, state
        self.hurried = state.hurried
        self.group = 1 if fault.kind in ONE_BY_ONE else state.together
        slow = fault.kind == "drip"
        self.pause = fault.number if slow else 1 / state.rate
        self.events = 0
        self.bytes = 0

    async def all(self, answer: Answer) -> None:
        await self._send(self.wire.before(answer))
        now = asyncio.get_running_loop().time
        due = now()
        for event in self._tokens(answer):
            await self._send(event)
            due += self.pause * self.group
            if due - now() > 0.001 and self.hurried == self.state.hurried:
                await asyncio.sleep(due - now())
        for event in self.wire.after(answer):
            await self._send(event)

    def _tokens(self, answer: Answer) -> Iterator[bytes]:
        for i in range(0, len(answer.pieces), self.group):
            yield self.wire.token(answer, "".join(answer.pieces[i : i + self.group]))

    async def _send(self, data: bytes) -> None:
        for event in data.split(b"\n\n")[:-1]:
            await self._one(event + b"\n\n")

    async def _one(self, event: bytes) -> None:
        if self.fault.kind in IN_MIDST and self.events >= self.fault.number:
            await self._go_wrong()
        if self.fault.kind == "cut_bytes":
            room = int(self.fault.number) - self.bytes
            if len(event) > room:
                await self.response.write(event[: max(0, room)])
                raise Cut
        self.events += 1
        self.bytes += len(event)
        await self.response.write(event)

    async def _go_wrong(self) -> None:
        match self.fault.kind:
            case "stall":
                await asyncio.sleep(FOREVER)
            case "error_event":
                await self.response.write(self.wire.error_event())
            case "garbage":
                await self.response.write(self.wire.garbage())
        raise Cut
