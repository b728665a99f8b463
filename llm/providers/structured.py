"""Chooses between structured output and a schema in the prompt.

Not every server and model has structured output. One that refuses it is remembered, and gets the
schema in its prompt from then on.
"""

import json
from typing import NamedTuple

from llm.providers.base import Fault, ModelRequest, ProviderError

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


def refuses_schema(server: Server, request: ModelRequest, error: ProviderError) -> bool:
    """Return whether structured output was refused, and remember that."""
    words = str(error).lower()
    refused = (
        error.fault is Fault.BAD_REQUEST
        and takes_schema(server, request)
        and any(sign in words for sign in SIGNS)
    )
    if refused:
        _REFUSING.add(server)
    return refused
