"""Any server with OpenAI's chat completions, using the official SDK: OpenAI, Together, vLLM,
Ollama.
"""

import re
from collections.abc import Mapping
from typing import Final, Literal
from urllib.parse import urlsplit

import openai
from openai.types import CompletionUsage
from openai.types.chat import ChatCompletionChunk, ChatCompletionMessageParam
from openai.types.shared_params import ResponseFormatJSONSchema

from llm.providers import structured
from llm.providers.base import (
    Address,
    Event,
    Fault,
    Finished,
    ModelRequest,
    ProviderError,
    Stop,
    TextDelta,
    Usage,
    alternating,
)
from llm.providers.clients import TLS, client
from llm.providers.faults import status_error

TIMEOUT = openai.Timeout(None, connect=5.0)  # the gateway's limits hold
STOPS = {"length": Stop.LENGTH, "content_filter": Stop.REFUSAL}
OFFICIAL = "https://api.openai.com/v1"
# OpenAI's reasoning models take no temperature; the lowest effort of each:
Effort = Literal["none", "minimal", "low"]
EFFORTS: Final[tuple[tuple[str, Effort], ...]] = (
    (r"^gpt-\d+(\.\d+)?-(astra|pro)|^gpt-6(\.\d+)?-sol", "low"),
    (r"^gpt-(5\.[1-9]|[6-9])", "none"),
    (r"^gpt-5", "minimal"),
    (r"^o\d", "low"),
)
THINKING_ROOM = 2_000


def client_for(address: Address) -> openai.AsyncOpenAI:
    return client(
        ("openai", address),
        lambda: openai.AsyncOpenAI(
            api_key=address.key,
            base_url=address.base_url or OFFICIAL,
            max_retries=0,
            http_client=openai.DefaultAioHttpClient(timeout=TIMEOUT, verify=TLS),
        ),
    )


async def create(
    sdk: openai.AsyncOpenAI, server: structured.Server, request: ModelRequest
) -> openai.AsyncStream[ChatCompletionChunk]:
    effort = _effort(request.model)
    official = urlsplit(server.base_url).hostname == urlsplit(OFFICIAL).hostname
    room = THINKING_ROOM if effort in ("low", "minimal") else 0
    return await sdk.chat.completions.create(
        model=request.model,
        messages=_messages(structured.system_text(server, request), request),
        # OpenAI requires the newer name, most other servers know only the older one
        max_completion_tokens=request.max_tokens + room if official else openai.omit,
        max_tokens=openai.omit if official else request.max_tokens + room,
        temperature=openai.omit if effort else request.temperature,
        reasoning_effort=effort or openai.omit,
        response_format=_format(server, request) or openai.omit,
        stream_options={"include_usage": True},
        stream=True,
    )


def _effort(model: str) -> Effort | None:
    return next((effort for pattern, effort in EFFORTS if re.search(pattern, model)), None)


def _messages(system: str, request: ModelRequest) -> list[ChatCompletionMessageParam]:
    messages: list[ChatCompletionMessageParam] = [{"role": "system", "content": system}]
    for role, texts in alternating(request.messages):
        text = "\n\n".join(texts)
        if role == "user":
            messages.append({"role": "user", "content": text})
        else:
            messages.append({"role": "assistant", "content": text})
    return messages


def _format(server: structured.Server, request: ModelRequest) -> ResponseFormatJSONSchema | None:
    shape = request.shape
    if shape is None or shape.strict is None or not structured.takes_schema(server, request):
        return None
    return {
        "type": "json_schema",
        "json_schema": {"name": shape.name, "schema": dict(shape.strict), "strict": True},
    }


class OpenAIReply:
    def __init__(self) -> None:
        self._stop: Stop | None = None
        self._refused = False
        self._usage = Usage()
        self._model = ""

    def events(self, chunk: ChatCompletionChunk) -> list[Event]:
        self._model = chunk.model or self._model
        events: list[Event] = []
        if chunk.usage:
            self._usage = _usage(chunk.usage)
            events.append(self._usage)
        for choice in chunk.choices[:1]:
            self._refused = self._refused or bool(choice.delta.refusal)
            events.append(TextDelta(choice.delta.content or ""))
            if choice.finish_reason:
                self._stop = STOPS.get(choice.finish_reason, Stop.END)
        return events

    def end(self) -> list[Event]:
        if self._stop is None:
            raise ProviderError(Fault.BROKEN_STREAM, "the stream ended without a finish reason")
        stop = Stop.REFUSAL if self._refused else self._stop
        return [Finished(stop, self._usage, self._model)]


def _usage(usage: CompletionUsage) -> Usage:
    details = usage.prompt_tokens_details
    read = (details and details.cached_tokens) or 0
    written = (details and details.cache_write_tokens) or 0
    uncached = (usage.prompt_tokens or 0) - read - written
    return Usage(uncached, usage.completion_tokens, read, written)


def provider_error(error: Exception) -> ProviderError:
    if isinstance(error, openai.APIStatusError):
        return _status_error(error, error.status_code, error.response.headers)
    if isinstance(error, openai.APITimeoutError) and _took_too_long(error):
        return ProviderError(Fault.TIMEOUT, str(error))
    if isinstance(error, openai.APIConnectionError):
        return ProviderError(Fault.CONNECTION, repr(error.__cause__))
    if isinstance(error, openai.APIError):  # an error object in the stream, after its 200
        code = error.code or ""
        return _status_error(error, int(code) if code.isdecimal() else 200, {})
    # the SDK doesn't wrap broken JSON and the like
    return ProviderError(Fault.BROKEN_STREAM, repr(error))


def _took_too_long(error: openai.APITimeoutError) -> bool:
    """Return False for a lost connection, which the SDK's transport takes for a timeout as well."""
    transport = error.__cause__ and error.__cause__.__cause__
    return transport is None or isinstance(transport, TimeoutError)


def _status_error(error: openai.APIError, status: int, headers: Mapping[str, str]) -> ProviderError:
    return status_error(status, error.type or "", error.code or "", error.message, headers)


Reply = OpenAIReply
