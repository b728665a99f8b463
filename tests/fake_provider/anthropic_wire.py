"""The Messages API: real event sequence, usage with cache tokens, and its refusals."""

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from tests.fake_provider.asked import Asked, asked
from tests.fake_provider.wire import Answer, open_objects

STOPS = {"end": "end_turn", "length": "max_tokens", "refusal": "refusal"}
NO_SAMPLING = re.compile(r"claude-(\w+-5|opus-4-[78])")


def _event(kind: str, **data: Any) -> bytes:
    return f"event: {kind}\ndata: {json.dumps({'type': kind, **data})}\n\n".encode()


def _text(content: Any) -> str:
    return content if isinstance(content, str) else "".join(block["text"] for block in content)


def _cacheable(body: Mapping[str, Any]) -> list[str]:
    """The texts up to the last one that is marked for the cache."""
    contents = [body.get("system", ""), *(one["content"] for one in body["messages"])]
    blocks = [block for one in contents if not isinstance(one, str) for block in one]
    marked = [at for at, block in enumerate(blocks, 1) if "cache_control" in block]
    return [block["text"] for block in blocks[: max(marked, default=0)]]


class AnthropicWire:
    """Claude's side of the wire."""

    name = "anthropic"

    def asked(self, body: Mapping[str, Any], seed: int) -> Asked:
        schema = (body.get("output_config") or {}).get("format", {}).get("schema")
        messages = [_text(one["content"]) for one in body["messages"]]
        system = _text(body.get("system", ""))
        return asked(body, schema, system, messages, _cacheable(body), seed)

    def complaint(self, body: Mapping[str, Any]) -> str:
        model, thinking = body["model"], (body.get("thinking") or {}).get("type")
        messages = body["messages"]
        schema = (body.get("output_config") or {}).get("format", {}).get("schema")
        if "temperature" in body and NO_SAMPLING.search(model):
            return "`temperature` is deprecated for this model."
        if thinking == "disabled" and re.search(r"(sonnet|opus)-5-5", model):
            return '"thinking.type.disabled" is not supported for this model.'
        if messages[0]["role"] != "user" or messages[-1]["role"] != "user":
            return "messages: a conversation begins and ends with a user message"
        if not all(_text(one["content"]).strip() for one in messages):
            return "messages: text content blocks must be non-empty"
        if schema and open_objects(schema):
            return "output_config.format.schema: objects must be closed"
        return "" if "max_tokens" in body else "max_tokens: Field required"

    def before(self, answer: Answer) -> bytes:
        message = self.whole(answer) | {"content": [], "stop_reason": None}
        message["usage"] = message["usage"] | {"output_tokens": 1}
        block = {"type": "text", "text": ""}
        return (
            _event("message_start", message=message)
            + _event("content_block_start", index=0, content_block=block)
            + _event("ping")
        )

    def token(self, answer: Answer, piece: str) -> bytes:
        return _event("content_block_delta", index=0, delta={"type": "text_delta", "text": piece})

    def after(self, answer: Answer) -> Iterable[bytes]:
        yield _event("content_block_stop", index=0)
        yield _event(
            "message_delta",
            delta={"stop_reason": STOPS[answer.stop], "stop_sequence": None},
            usage={"output_tokens": len(answer.pieces)},
        )
        yield _event("message_stop")

    def whole(self, answer: Answer) -> dict[str, Any]:
        return {
            "id": "msg_fake",
            "type": "message",
            "role": "assistant",
            "model": answer.model,
            "content": [{"type": "text", "text": answer.text}],
            "stop_reason": STOPS[answer.stop],
            "stop_sequence": None,
            "usage": {
                "input_tokens": answer.input_tokens,
                "output_tokens": len(answer.pieces),
                "cache_read_input_tokens": answer.cache_read,
                "cache_creation_input_tokens": answer.cache_write,
            },
        }

    def error(self, status: int, kind: str, message: str, code: str) -> dict[str, Any]:
        details = {"details": {"error_code": code}} if code else {}
        return {"type": "error", "error": {"type": kind, "message": message, **details}}

    def error_event(self) -> bytes:
        return _event("error", error={"type": "overloaded_error", "message": "Overloaded"})

    def garbage(self) -> bytes:
        return b'event: content_block_delta\ndata: {"type": "content_blo\n\n'
