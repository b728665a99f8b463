"""The plain text of a source, in which places are counted in code points."""

import re

# Everything of Cc but tab and line feed, lone surrogates, and what XML 1.0 leaves out.
UNUSABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufeff\ufffe\uffff]")


def clean(text: str) -> str:
    """Return the text with LF as its only line break and U+FFFD for each unusable sign."""
    return UNUSABLE.sub("\ufffd", text.replace("\r\n", "\n").replace("\r", "\n"))


class SourceText:
    def __init__(self) -> None:
        self._parts: list[str] = []
        self._length = 0
        self._utterances: dict[int, tuple[int, str]] = {}  # position -> where it begins, as said

    def add(self, position: int, speaker: str, text: str) -> None:
        label = f"{speaker}: "
        self._utterances[position] = (self._length + len(label), text)
        part = f"{label}{clean(text)}\n\n"
        self._parts.append(part)
        self._length += len(part)

    def place(self, position: int, start: int, end: int | None) -> tuple[int, int] | None:
        """Return where a passage of an utterance stands, or None if it is empty or not there."""
        begins, text = self._utterances.get(position, (0, ""))
        end = len(text) if end is None else min(end, len(text))
        if start >= end:
            return None
        between = text[max(start - 1, 0) : start + 1] == "\r\n"  # one sign in the source
        before = len(clean(text[:start])) - between
        return begins + before, begins + len(clean(text[:end]))

    def __str__(self) -> str:
        return "".join(self._parts)
