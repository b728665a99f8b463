from collections.abc import Sequence
from dataclasses import dataclass

from plans.models import Document
from plans.protocols.knowledge_transfer.analysis.statements import MOST_ITEMS
from plans.protocols.knowledge_transfer.content import dive_of

ROOM = 80_000  # characters for all documents
LEAST = 1_500  # for each
LISTS = ("gaps", "thresholds", "formulas", "decisions", "people")


@dataclass(frozen=True)
class DocumentsBrief:
    """What the documents say, and how many of them were shortened."""

    text: str
    shortened: int = 0


def documents_brief(rows: Sequence[Document]) -> DocumentsBrief:
    """Return the documents' deep dives as a model reads them, each within its share of ROOM."""
    room = max(LEAST, ROOM // max(1, len(rows)))
    texts = [_fit(row, room) for row in rows]
    shortened = sum(text != _render(row, MOST_ITEMS) for row, text in zip(rows, texts, strict=True))
    return DocumentsBrief("\n\n".join(texts), shortened)


def _fit(row: Document, room: int) -> str:
    texts = (_render(row, most) for most in range(MOST_ITEMS, 0, -1))
    return next((text for text in texts if len(text) <= room), _render(row, 0)[:room])


def _render(row: Document, most: int) -> str:
    dive = dive_of(row)
    lines = [f"# {row.name}", *([f"Purpose: {dive.purpose}"] if dive.purpose else [])]
    for name in LISTS:
        items = getattr(dive, name)[:most]
        lines += [f"{name.capitalize()}:", *(f"- {item}" for item in items)] if items else []
    points = row.content.get("points", [])[:most]
    return "\n".join([*lines, *(f"[{point['place']}] {point['text']}" for point in points)])
