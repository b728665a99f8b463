"""Short lists of statements: each on one line, none twice, no more than people read."""

import re
from collections.abc import Iterable
from itertools import chain, zip_longest

from plans.similarity import alike
from plans.text import tidy

MOST_ITEMS = 20  # of one list
LONGEST_ITEM = 300  # characters
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


def one_line(text: str, longest: int = LONGEST_ITEM) -> str:
    """The text on one line; where it is longer, its beginning with an ellipsis."""
    line = " ".join(tidy(text).split())
    return line if len(line) <= longest else f"{line[: longest - 1].rstrip()}…"


def merge_statements(*lists: Iterable[str]) -> list[str]:
    """Lists as one, taking turns; the first of those that say the same, and not too many."""
    kept: list[str] = []
    for item in chain.from_iterable(zip_longest(*lists, fillvalue="")):
        line = one_line(item)
        if line and not any(same_statement(line, other) for other in kept):
            kept.append(line)
        if len(kept) == MOST_ITEMS:
            break
    return kept


def same_statement(one: str, other: str) -> bool:
    """Whether two statements say the same: with other numbers they never do."""
    return _numbers(one) == _numbers(other) and alike(one, other)


def _numbers(text: str) -> frozenset[str]:
    return frozenset(number.replace(",", ".") for number in _NUMBER.findall(text))
