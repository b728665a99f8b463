from collections.abc import Iterator
from typing import Any

from plans.documents.limits import CHARACTERS, PART_CHARACTERS, PARTS
from plans.documents.problems import Reason, Unreadable
from plans.documents.types import PlacedText, Unit

TITLE = 200


class Parts:
    """A document's parts so far. Raises Unreadable once they are too many or too long."""

    def __init__(self) -> None:
        self.items: list[PlacedText] = []
        self._room = CHARACTERS

    def add(self, unit: Unit, text: str, title: str = "", **place: Any) -> None:
        text = text.strip("\n").rstrip()
        if not text.strip():
            return
        self._room -= len(text)
        if self._room < 0:
            raise Unreadable(Reason.TOO_LONG)
        short = " ".join(title.split())[:TITLE]
        for piece in _pieces(text):
            self.items.append(PlacedText(unit=unit, text=piece, title=short, **place))
        if len(self.items) > PARTS:
            raise Unreadable(Reason.TOO_MANY)


def _pieces(text: str) -> Iterator[str]:
    """Cut at the last line that fits, or in mid-line where there is none."""
    while len(text) > PART_CHARACTERS:
        cut = text.rfind("\n", 1, PART_CHARACTERS) + 1 or PART_CHARACTERS
        yield text[:cut].rstrip("\n")
        text = text[cut:]
    yield text
