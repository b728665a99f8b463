import asyncio
import re
import time
from collections.abc import Callable
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any

from django.conf import settings

from llm.calls.parse import clean
from llm.providers.base import (
    Fault,
    Finished,
    ModelRequest,
    Provider,
    ProviderError,
    Stop,
    TextDelta,
    Usage,
)
from llm.tasks.records import CallOutcome

MAX_ERROR = 2_000  # characters
LINGER = 0.2  # seconds that a finished stream has to close
KEYS = re.compile(r"\b(sk|pk|key|tgp)[-_][\w*.-]{6,}", re.I)


@dataclass(slots=True)
class Call:
    request: ModelRequest
    attempt: int
    text: str = ""
    usage: Usage = field(default_factory=Usage)
    model: str = ""
    stop: Stop | None = None
    first_token: float | None = None
    started: float = field(default_factory=time.monotonic)

    async def run(self, provider: Provider, limit: float, on_text: Callable[[str], None]) -> Stop:
        """Read the whole reply within `limit` seconds and return why it ended.

        Raises ProviderError, also if the provider is silent for too long.
        """
        self.started = time.monotonic()
        try:
            await self._read_stream(provider, limit, on_text)
        except TimeoutError:
            if self.stop is None:
                raise ProviderError(Fault.TIMEOUT, self._timeout_reason(limit)) from None
        except ProviderError:
            if self.stop is None:
                raise
        if self.stop is None:
            raise ProviderError(Fault.BROKEN_STREAM, "the stream ended without an end")
        return self.stop

    async def _read_stream(
        self, provider: Provider, limit: float, on_text: Callable[[str], None]
    ) -> None:
        now = asyncio.get_running_loop().time
        end = now() + limit
        first = min(end, now() + settings.LLM_FIRST_TOKEN_TIMEOUT)
        async with (
            asyncio.timeout_at(first) as clock,
            aclosing(provider.stream(self.request)) as events,
        ):
            async for event in events:
                if isinstance(event, TextDelta):
                    clock.reschedule(min(end, now() + settings.LLM_IDLE_TIMEOUT))
                    self._add_text(event.text, on_text)
                elif isinstance(event, Finished):
                    # read to the very end: only then can the connection be reused
                    clock.reschedule(min(end, now() + LINGER))
                    self.usage, self.model, self.stop = event.usage, event.model, event.stop
                else:
                    self.usage = event

    def _add_text(self, text: str, on_text: Callable[[str], None]) -> None:
        if not text:
            return
        if self.first_token is None:
            self.first_token = time.monotonic()
        self.text += text
        on_text(text)

    def _timeout_reason(self, limit: float) -> str:
        waited = time.monotonic() - self.started
        if waited >= limit:
            return f"not complete after {waited:.1f} s"
        return "stalled in mid-reply" if self.text else f"nothing after {waited:.1f} s"

    def first_token_ms(self) -> int | None:
        return None if self.first_token is None else _ms(self.first_token - self.started)

    def total_ms(self) -> int:
        return _ms(time.monotonic() - self.started)


def _ms(seconds: float) -> int:
    return round(seconds * 1000)


def failure_outcome(error: ProviderError) -> CallOutcome:
    return CallOutcome.TIMEOUT if error.fault is Fault.TIMEOUT else CallOutcome.ERROR


def redact_keys(error: str) -> str:
    """Return an error's text for the log, with anything like an API key removed."""
    return KEYS.sub("[key]", clean(error))[:MAX_ERROR]


def loggable_request(request: ModelRequest) -> dict[str, Any]:
    """Return a request for the log; credentials are the client's and never in it."""
    return {
        "system": clean(request.system),
        "messages": [{"role": one.role, "text": clean(one.text)} for one in request.messages],
        "schema": request.shape.name if request.shape else None,
        "max_tokens": request.max_tokens,
        "temperature": request.temperature,
    }
