"""Split long material into portions for one model call each; nothing is cut off."""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

Item = TypeVar("Item")
CHARACTERS, FACTS = 24_000, 60  # per portion, unless a single item has more


def portions(
    items: Iterable[Item], size: Callable[[Item], int], facts: Callable[[Item], int]
) -> Iterator[list[Item]]:
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
