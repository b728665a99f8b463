"""Chat completions: chunks, a usage chunk, [DONE], and the refusals of OpenAI-like servers."""

import json
import re
from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import Any

from tests.fake_provider.asked import Asked, asked
from tests.fake_provider.wire import Answer, open_objects

STOPS = {"end": "stop", "length": "length", "refusal": "content_filter"}
REASONING = re.compile(r"^(o\d|gpt-([5-9]))")


def _chunk(answer: Answer, choices: list[dict[str, Any]], **more: Any) -> bytes:
    data = {
        "id": "chatcmpl-fake",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": answer.model,
        "choices": choices,
        **more,
    }
    return f"data: {json.dumps(data)}\n\n".encode()


def _choice(delta: dict[str, Any], stop: str | None = None) -> list[dict[str, Any]]:
    return [{"index": 0, "delta": delta, "finish_reason": stop}]


def _schema(body: Mapping[str, Any]) -> dict[str, Any] | None:
    wanted = (body.get("response_format") or {}).get("json_schema")
    return {**wanted["schema"], "title": wanted["name"]} if wanted else None


class OpenAIWire:
    """The side of OpenAI and of those who speak like it."""

    name = "openai"

    def asked(self, body: Mapping[str, Any], seed: int) -> Asked:
        texts = [str(one["content"]) for one in body["messages"]]
        system = texts[0] if body["messages"][0]["role"] == "system" else ""
        messages = texts[1:] if system else texts
        return asked(body, _schema(body), system, messages, texts[:-1], seed)

    def complaint(self, body: Mapping[str, Any]) -> str:
        roles = [one["role"] for one in body["messages"] if one["role"] != "system"]
        schema = _schema(body)
        if any(a == b for a, b in pairwise(roles)) or roles[-1] != "user":
            return "Conversation roles must alternate user/assistant/user/assistant/..."
        if REASONING.search(body["model"]) and "temperature" in body:
            return "Unsupported value: 'temperature' does not support this model."
        if schema and open_objects(schema):
            return "Invalid schema for response_format: objects must be closed"
        return ""

    def before(self, answer: Answer) -> bytes:
        return _chunk(answer, _choice({"role": "assistant", "content": ""}))

    def token(self, answer: Answer, piece: str) -> bytes:
        return _chunk(answer, _choice({"content": piece}))

    def after(self, answer: Answer) -> Iterable[bytes]:
        yield _chunk(answer, _choice({}, STOPS[answer.stop]))
        yield _chunk(answer, [], usage=_usage(answer))
        yield b"data: [DONE]\n\n"

    def whole(self, answer: Answer) -> dict[str, Any]:
        message = {"role": "assistant", "content": answer.text, "refusal": None}
        return {
            "id": "chatcmpl-fake",
            "object": "chat.completion",
            "created": 1,
            "model": answer.model,
            "choices": [{"index": 0, "message": message, "finish_reason": STOPS[answer.stop]}],
            "usage": _usage(answer),
        }

    def error(self, status: int, kind: str, message: str, code: str) -> dict[str, Any]:
        return {"error": {"type": kind, "message": message, "code": code or None, "param": None}}

    def error_event(self) -> bytes:
        error = {"type": "server_error", "message": "The server is overloaded", "code": None}
        return f"data: {json.dumps({'error': error})}\n\n".encode()

    def garbage(self) -> bytes:
        return b'data: {"id": "chatcmpl-fa\n\n'


def _usage(answer: Answer) -> dict[str, Any]:
    prompt = answer.input_tokens + answer.cache_read + answer.cache_write
    return {
        "prompt_tokens": prompt,
        "completion_tokens": len(answer.pieces),
        "total_tokens": prompt + len(answer.pieces),
        "prompt_tokens_details": {
            "cached_tokens": answer.cache_read,
            "cache_write_tokens": answer.cache_write,
        },
    }
