"""Short lists of statements, one line each and without repetitions; the documents in brief."""

from collections.abc import Iterable, Sequence
from itertools import chain, zip_longest

from plans.models import Document
from plans.protocols.knowledge_transfer.content import dive_of
from plans.similarity import alike
from plans.text import figures, shorten, tidy

MOST_ITEMS = 20  # of one list
LONGEST_ITEM = 300  # characters


def one_line(text: str, longest: int = LONGEST_ITEM) -> str:
    return shorten(" ".join(tidy(text).split()), longest)


def merge_statements(*lists: Iterable[str]) -> list[str]:
    """Merge the lists in turns, keeping the first of equal statements, up to MOST_ITEMS."""
    merged: list[str] = []
    for item in chain.from_iterable(zip_longest(*lists, fillvalue="")):
        line = one_line(item)
        if line and not any(same_statement(line, other) for other in merged):
            merged.append(line)
        if len(merged) == MOST_ITEMS:
            break
    return merged


def same_statement(one: str, other: str) -> bool:
    """Return whether two statements say the same; with different numbers they never do."""
    return figures(one) == figures(other) and alike(one, other)


ROOM = 80_000  # characters for all documents
LEAST = 1_500  # for each
LISTS = ("gaps", "thresholds", "formulas", "decisions", "people")


def documents_brief(rows: Sequence[Document]) -> tuple[str, int]:
    """Return the documents' deep dives as a model reads them, each within its share of ROOM.

    With it comes how many of them were shortened.
    """
    room = max(LEAST, ROOM // max(1, len(rows)))
    texts = [_fit(row, room) for row in rows]
    shortened = sum(text != _render(row, MOST_ITEMS) for row, text in zip(rows, texts, strict=True))
    return "\n\n".join(texts), shortened


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
