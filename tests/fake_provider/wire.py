"""What a wire format has to say for itself; `anthropic.py` and `openai.py` are the two."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from tests.fake_provider.asked import Asked

TOKEN = re.compile(r".{1,4}", re.S)


def tokens(text: str) -> list[str]:
    """The text in pieces of about a token."""
    return TOKEN.findall(text)


@dataclass(frozen=True)
class Answer:
    """What is to be sent: the pieces, why it ends, and the tokens counted."""

    pieces: list[str]
    stop: str  # "end", "length" or "refusal"
    model: str
    input_tokens: int
    cache_read: int
    cache_write: int

    @property
    def text(self) -> str:
        """The whole of it."""
        return "".join(self.pieces)


class Wire(Protocol):
    """One wire format."""

    name: str

    def asked(self, body: Mapping[str, Any], seed: int) -> Asked:
        """What the request asks."""

    def complaint(self, body: Mapping[str, Any]) -> str:
        """Why the real server would refuse the request, or nothing."""

    def before(self, answer: Answer) -> bytes:
        """The events before the first token."""

    def token(self, answer: Answer, piece: str) -> bytes:
        """The event of one token."""

    def after(self, answer: Answer) -> Iterable[bytes]:
        """The events after the last token, one by one."""

    def whole(self, answer: Answer) -> dict[str, Any]:
        """The reply to a request that does not stream."""

    def error(self, status: int, kind: str, message: str, code: str) -> dict[str, Any]:
        """The body of an error."""

    def error_event(self) -> bytes:
        """An error in mid-stream."""

    def garbage(self) -> bytes:
        """An event that is not JSON."""


def open_objects(schema: Mapping[str, Any]) -> bool:
    """Whether an object in the schema is not closed, or leaves a field optional."""
    closed = schema.get("type") != "object" or (
        schema.get("additionalProperties") is False
        and set(schema.get("required", ())) == set(schema.get("properties", {}))
    )
    inner = [*schema.get("properties", {}).values(), *schema.get("$defs", {}).values()]
    inner += schema.get("anyOf", [])
    if isinstance(schema.get("items"), Mapping):
        inner.append(schema["items"])
    return not closed or any(open_objects(one) for one in inner)
