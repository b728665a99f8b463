"""The HTTP server: two API routes, a door for control, and a way to run it in a thread."""

import asyncio
import threading
from collections.abc import Callable
from dataclasses import asdict
from typing import Any, Self

from aiohttp import web

from tests.fake_provider.anthropic_wire import AnthropicWire
from tests.fake_provider.asked import Asked, tokens_in
from tests.fake_provider.errors import error_reply, refusal
from tests.fake_provider.faults import HTTP, Fault
from tests.fake_provider.mischief import spoiled
from tests.fake_provider.openai_wire import OpenAIWire
from tests.fake_provider.replies import reply
from tests.fake_provider.state import Served, State
from tests.fake_provider.stream import stream
from tests.fake_provider.wire import Answer, Wire, tokens

STATE = web.AppKey("state", State)


def app(state: State) -> web.Application:
    """The application on that state."""
    application = web.Application(client_max_size=32 * 2**20)
    application[STATE] = state
    application.add_routes(
        [
            web.get("/v1/models", _models),
            web.post("/v1/messages", _handler(AnthropicWire())),
            web.post("/v1/chat/completions", _handler(OpenAIWire())),
            web.post("/_control", _control),
            web.get("/_requests", _requests),
        ]
    )
    return application


async def _models(request: web.Request) -> web.Response:
    """The list of models, or the refusal of a wrong key, as each API gives it."""
    wire: Wire = AnthropicWire() if "x-api-key" in request.headers else OpenAIWire()
    status = request.app[STATE].models_status
    if status != 200:
        return error_reply(wire, Fault("status", str(status)))
    return web.json_response({"object": "list", "data": [], "has_more": False})


def _handler(wire: Wire) -> Callable[[web.Request], Any]:
    async def handle(request: web.Request) -> web.StreamResponse:
        state = request.app[STATE]
        body = await request.json()
        asked = wire.asked(body, state.seed)
        fault = state.next_fault(asked.name)
        peer = str(request.transport and request.transport.get_extra_info("peername"))
        served = Served(wire.name, asked.name, body, dict(request.headers), fault.kind, peer)
        state.came(served)
        try:
            response = await _reply(request, wire, body, asked, fault)
            served.complete = True
            return response
        except (asyncio.CancelledError, ConnectionError):
            served.aborted = True
            raise
        finally:
            state.went()

    return handle


async def _reply(
    request: web.Request, wire: Wire, body: dict[str, Any], asked: Asked, fault: Fault
) -> web.StreamResponse:
    state = request.app[STATE]
    if complaint := wire.complaint(body):
        return refusal(wire, complaint)
    if fault.kind in HTTP:
        return error_reply(wire, fault)
    if fault.kind == "close":
        assert request.transport
        request.transport.abort()
        return web.Response()
    answer = _answer(state, asked, fault, body["model"])
    if asked.stream:
        return await stream(request, wire, answer, fault, state)
    await asyncio.sleep(state.ttft + len(answer.pieces) / state.rate)
    return web.json_response(wire.whole(answer))


def _answer(state: State, asked: Asked, fault: Fault, model: str) -> Answer:
    text = _text(state, asked)
    pieces = tokens(spoiled(text, fault, asked))
    stops = {"truncate": "length", "refusal": "refusal"}
    stop = stops.get(fault.kind, "end")
    if len(pieces) > asked.max_tokens:
        pieces, stop = pieces[: asked.max_tokens], "length"
    known = tokens_in(*asked.cacheable[: state.cached(asked.cacheable)])
    marked = tokens_in(*asked.cacheable)
    return Answer(
        pieces=pieces,
        stop=stop,
        model=model,
        input_tokens=asked.tokens - marked,
        cache_read=known,
        cache_write=marked - known,
    )


def _text(state: State, asked: Asked) -> str:
    queued = state.next_reply(asked.name)
    if queued is None:
        return reply(asked)
    return queued if isinstance(queued, str) else web.json_response(queued).text or ""


async def _control(request: web.Request) -> web.Response:
    """`{"reset": true, "queue": [...], "faults": "...", "ttft": 0.1, "rate": 60, "replies": {}}`"""
    state = request.app[STATE]
    wish = await request.json()
    if wish.get("reset"):
        state.reset()
    state.queue(*wish.get("queue", ()))
    if "faults" in wish:
        state.set_rates(wish["faults"])
    state.ttft = float(wish.get("ttft", state.ttft))
    state.rate = float(wish.get("rate", state.rate))
    for schema, values in wish.get("replies", {}).items():
        state.reply(schema, *values)
    return web.json_response({"ok": True})


async def _requests(request: web.Request) -> web.Response:
    state = request.app[STATE]
    return web.json_response(
        {
            "total": state.total,
            "open": state.open,
            "most_open": state.most_open,
            "requests": [asdict(one) for one in state.requests],
        }
    )


async def serve(state: State, host: str, port: int, ready: Callable[[str], None]) -> None:
    """Serve until cancelled; `ready` gets the address."""
    runner = web.AppRunner(app(state), handler_cancellation=True, shutdown_timeout=0.1)
    await runner.setup()
    try:
        site = web.TCPSite(runner, host, port)
        await site.start()
        ready(f"http://{host}:{runner.addresses[0][1]}")
        await asyncio.Event().wait()
    finally:
        await runner.cleanup()


class FakeProvider(State):
    """The server in a thread of the test's own process; `url` is its address."""

    url: str = ""

    def __enter__(self) -> Self:
        started = threading.Event()
        self._loop = asyncio.new_event_loop()
        self._task = self._loop.create_task(serve(self, "127.0.0.1", 0, self._ready(started)))
        self._thread = threading.Thread(target=self._run, name="fake-provider", daemon=True)
        self._thread.start()
        if not started.wait(10):
            raise RuntimeError("The fake provider did not start")
        return self

    def __exit__(self, *exc: object) -> None:
        self._loop.call_soon_threadsafe(self._task.cancel)
        self._thread.join(10)

    def _ready(self, started: threading.Event) -> Callable[[str], None]:
        def ready(url: str) -> None:
            self.url = url
            started.set()

        return ready

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_until_complete(self._task)
        except asyncio.CancelledError:
            pass
        finally:
            self._loop.close()
