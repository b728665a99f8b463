"""Chooses between structured output and a schema in the prompt.

Not every server and model has structured output. One that refuses it is remembered, and gets the
schema in its prompt from then on.
"""

import json
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from typing import NamedTuple

from llm.providers.base import Event, Fault, ModelRequest, ProviderError

SIGNS = ("response_format", "json_schema", "output_config", "output_format", "structured", "schema")
SCHEMA_PROMPT = """

Reply with one JSON object and nothing else. It must fit this JSON schema:
"""


class Server(NamedTuple):
    base_url: str
    model: str


_REFUSING: set[Server] = set()


def takes_schema(server: Server, request: ModelRequest) -> bool:
    return bool(request.shape and request.shape.strict) and server not in _REFUSING


def system_text(server: Server, request: ModelRequest) -> str:
    if request.shape is None or takes_schema(server, request):
        return request.system
    return request.system + SCHEMA_PROMPT + json.dumps(request.shape.schema, ensure_ascii=False)


async def stream(
    server: Server,
    request: ModelRequest,
    start: Callable[[Server, ModelRequest], AsyncGenerator[Event, None]],
) -> AsyncGenerator[Event, None]:
    """Yield what `start` streams; retry without structured output if that is refused."""
    while True:
        try:
            async with aclosing(start(server, request)) as events:
                async for event in events:
                    yield event
            return
        except ProviderError as error:
            if not _refused_schema(server, request, error):
                raise
            _REFUSING.add(server)


def _refused_schema(server: Server, request: ModelRequest, error: ProviderError) -> bool:
    words = str(error).lower()
    return (
        error.fault is Fault.BAD_REQUEST
        and takes_schema(server, request)
        and any(sign in words for sign in SIGNS)
    )


def forget() -> None:
    _REFUSING.clear()
