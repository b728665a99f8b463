"""Reads fields from a reply that is still being written."""

from collections.abc import Callable, Mapping
from typing import Any

from pydantic_core import from_json

OnPartial = Callable[[Mapping[str, Any]], None]


class Draft:
    """Reports to `on_partial` what has been read, and `{}` when that is dropped.

    Plain text is read as it has arrived, under the key `text`.
    """

    def __init__(self, output: type[Any], on_partial: OnPartial | None) -> None:
        self._read = _read_text if output is str else _read_object
        self._on_partial = on_partial
        self._text = ""
        self._reported: Mapping[str, Any] = {}

    def feed(self, piece: str) -> None:
        if self._on_partial is None:
            return
        self._text = (self._text + piece).lstrip()
        read = self._read(self._text)
        if read and read != self._reported:
            self._reported = read
            self._on_partial(read)

    def drop(self) -> None:
        if self._on_partial and self._reported:
            self._on_partial({})
        self._text, self._reported = "", {}


def _read_text(text: str) -> Mapping[str, Any]:
    return {"text": text} if text else {}


def _read_object(text: str) -> Mapping[str, Any]:
    """Return what has arrived of a JSON object; prose and fences before it are skipped."""
    start = text.find("{")
    try:
        read = from_json(text[start:], allow_partial="trailing-strings") if start >= 0 else {}
    except ValueError:  # not JSON, or something follows it: the whole reply is read later
        return {}
    return read if isinstance(read, dict) else {}
