"""The documents of a bot as a model reads them: their deep dives, within bounds."""

from collections.abc import Sequence
from dataclasses import dataclass

from plans.models import Document
from plans.protocols.knowledge_transfer.analysis.statements import MOST_ITEMS
from plans.protocols.knowledge_transfer.content import dive_of

ROOM = 80_000  # characters for all documents
LEAST = 1_500  # of each
LISTS = ("gaps", "thresholds", "formulas", "decisions", "people")


@dataclass(frozen=True)
class DocumentsBrief:
    """What the documents say, and of how many of them a part was left out."""

    text: str
    shortened: int = 0


def documents_brief(rows: Sequence[Document]) -> DocumentsBrief:
    """All of them, each with its share of the room."""
    room = max(LEAST, ROOM // max(1, len(rows)))
    told = [_fitting(row, room) for row in rows]
    shortened = sum(text != _told(row, MOST_ITEMS) for row, text in zip(rows, told, strict=True))
    return DocumentsBrief("\n\n".join(told), shortened)


def _fitting(row: Document, room: int) -> str:
    """With as many items of each list as there is room for."""
    told = (_told(row, most) for most in range(MOST_ITEMS, 0, -1))
    return next((text for text in told if len(text) <= room), _told(row, 0)[:room])


def _told(row: Document, most: int) -> str:
    dive = dive_of(row)
    lines = [f"# {row.name}", *([f"Purpose: {dive.purpose}"] if dive.purpose else [])]
    for name in LISTS:
        items = getattr(dive, name)[:most]
        lines += [f"{name.capitalize()}:", *(f"- {item}" for item in items)] if items else []
    points = row.content.get("points", [])[:most]
    return "\n".join([*lines, *(f"[{point['place']}] {point['text']}" for point in points)])
