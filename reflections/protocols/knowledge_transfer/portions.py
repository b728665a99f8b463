"""Long material in pieces: what belongs together stays so, and nothing is cut off."""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

Item = TypeVar("Item")
CHARACTERS = 24_000  # of one piece, unless a single item is longer
FACTS = 60  # of one piece, likewise


def portions(
    items: Iterable[Item], size: Callable[[Item], int], facts: Callable[[Item], int]
) -> Iterator[list[Item]]:
    """The items in their order, as many at a time as one call can do with."""
    piece: list[Item] = []
    length = count = 0
    for item in items:
        more, most = size(item), facts(item)
        if piece and (length + more > CHARACTERS or count + most > FACTS):
            yield piece
            piece, length, count = [], 0, 0
        piece.append(item)
        length, count = length + more, count + most
    if piece:
        yield piece
