"""Reads fields from a reply that is still being written."""

from collections.abc import Callable, Mapping
from typing import Any

from pydantic_core import from_json

OnPartial = Callable[[Mapping[str, Any]], None]


class PartialObject:
    """A JSON object read as far as it has arrived; prose and fences before it are skipped."""

    def __init__(self) -> None:
        self._text = ""
        self._seen: Mapping[str, Any] = {}

    def feed(self, piece: str) -> Mapping[str, Any] | None:
        if not self._text:
            piece = piece[piece.find("{") :] if "{" in piece else ""
        if not piece:
            return None
        self._text += piece
        read = _read(self._text)
        if not read or read == self._seen:
            return None
        self._seen = read
        return read


class PartialText:
    """Plain text as far as it has arrived, under the key `text`."""

    def __init__(self) -> None:
        self._text = ""

    def feed(self, piece: str) -> Mapping[str, Any] | None:
        before = len(self._text)
        self._text = (self._text + piece).lstrip()
        return {"text": self._text} if len(self._text) > before else None


class Draft:
    """Reports to `on_partial` what has been read, and `{}` when that is dropped."""

    def __init__(self, output: type[Any], on_partial: OnPartial | None) -> None:
        self._make: Callable[[], PartialObject | PartialText]
        self._make = PartialText if output is str else PartialObject
        self._on_partial = on_partial
        self._reader = self._make()
        self._reported = False

    def feed(self, piece: str) -> None:
        if self._on_partial and (news := self._reader.feed(piece)):
            self._reported = True
            self._on_partial(news)

    def drop(self) -> None:
        if self._on_partial and self._reported:
            self._on_partial({})
        self._reported = False
        self._reader = self._make()


def _read(text: str) -> Mapping[str, Any] | None:
    try:
        read = from_json(text, allow_partial="trailing-strings")
    except ValueError:  # not JSON, or something follows it: the whole reply is read later
        return None
    return read if isinstance(read, dict) else None
