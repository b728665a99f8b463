"""The server in a thread of the test's own process."""

import asyncio
import json
import threading
from collections import deque
from dataclasses import dataclass, field
from typing import Self

from aiohttp import WSCloseCode, WSMsgType, web

from tests.fake_speech import wire

KEY = "key-of-the-tests"
MANY = 1_000  # words
WORTH = 3_200  # bytes of sound for a word
REFUSALS = {"unauthorized": 401, "bad": 400, "poor": 402, "broken": 503}


@dataclass
class Line:
    """One connection, and what came over it."""

    asked: dict[str, str]
    said: deque[str]
    sound: int = 0
    messages: list[str] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    open: bool = True


@dataclass
class FakeSpeech:
    """`url` is its address, `lines` are the connections there were.

    Faults: unauthorized, bad, poor, broken (refused at once); mute (never answers the handshake);
    stall (hears and says nothing); deaf (reads nothing more); error, cut, bye (after some words).
    A phrase stays provisional at its word `holds`, for as long as a test wishes.
    """

    phrases: tuple[str, ...]
    fault: str = ""
    holds: int = MANY
    url: str = ""
    lines: list[Line] = field(default_factory=list)

    def __init__(self, *phrases: str) -> None:
        self.phrases, self.fault, self.url, self.lines = phrases, "", "", []
        self.holds = MANY

    def __enter__(self) -> Self:
        started = threading.Event()
        self._loop = asyncio.new_event_loop()
        self._task = self._loop.create_task(self._serve(started))
        self._thread = threading.Thread(target=self._run, name="fake-speech", daemon=True)
        self._thread.start()
        assert started.wait(10)
        return self

    def __exit__(self, *exc: object) -> None:
        self._loop.call_soon_threadsafe(self._task.cancel)
        self._thread.join(10)

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_until_complete(self._task)
        except asyncio.CancelledError:
            pass
        finally:
            self._loop.close()

    async def _serve(self, started: threading.Event) -> None:
        application = web.Application()
        application.add_routes([web.get("/v1/listen", self._listen)])
        runner = web.AppRunner(application, handler_cancellation=True, shutdown_timeout=0.1)
        await runner.setup()
        try:
            await web.TCPSite(runner, "127.0.0.1", 0).start()
            self.url = f"ws://127.0.0.1:{runner.addresses[0][1]}"
            started.set()
            await asyncio.Event().wait()
        finally:
            await runner.cleanup()

    async def _listen(self, request: web.Request) -> web.StreamResponse:
        if self.fault in REFUSALS:
            return web.Response(status=REFUSALS[self.fault])
        if request.headers.get("Authorization") != f"Token {KEY}":
            return web.Response(status=401)
        if self.fault == "mute":
            await asyncio.sleep(60)
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        line = Line(dict(request.query), deque(self.phrases))
        self.lines.append(line)
        try:
            await self._hear(request, socket, line)
        finally:
            line.open = False
        return socket

    async def _hear(self, request: web.Request, socket: web.WebSocketResponse, line: Line) -> None:
        async for message in socket:
            if message.type == WSMsgType.BINARY:
                line.sound += len(message.data)
                await self._sound(request, socket, line)
            else:
                kind = json.loads(message.data)["type"]
                line.messages.append(kind)
                await self._control(socket, line, kind)

    async def _sound(self, request: web.Request, socket: web.WebSocketResponse, line: Line) -> None:
        if self.fault == "deaf":
            await asyncio.sleep(60)
        if self.fault == "stall":
            return
        if self.fault == "rubbish":
            for odd in wire.RUBBISH:
                await (socket.send_bytes(odd) if isinstance(odd, bytes) else socket.send_str(odd))
        if self.fault in ("error", "cut", "bye") and line.sound >= 3 * WORTH:
            await self._fail(request, socket)
        else:
            await self._words(socket, line)

    async def _fail(self, request: web.Request, socket: web.WebSocketResponse) -> None:
        if self.fault == "cut":
            assert request.transport
            request.transport.abort()
        elif self.fault == "error":
            await socket.send_str(wire.error())
        else:
            await socket.close(code=WSCloseCode.OK)

    async def _words(self, socket: web.WebSocketResponse, line: Line) -> None:
        """One word more of the phrase at hand; with its last word it is final."""
        if not line.said:
            await socket.send_str(wire.results("", final=False))
            return
        phrase = line.said[0].split()
        line.words = phrase[: min(len(line.words) + 1, self.holds)]
        final = line.words == phrase
        await socket.send_str(wire.results(" ".join(line.words), final))
        if final:
            line.said.popleft()
            line.words = []

    async def _control(self, socket: web.WebSocketResponse, line: Line, kind: str) -> None:
        if self.fault == "stall":
            return
        if kind == "Finalize":
            text = " ".join(line.words)
            await socket.send_str(wire.results(text, final=True, from_finalize=True))
        if kind == "CloseStream":
            await socket.send_str(wire.metadata())
            await socket.close(code=WSCloseCode.OK)
