"""Short lists of statements, one line each and without repetitions."""

import re
from collections.abc import Iterable
from itertools import chain, zip_longest

from plans.similarity import alike
from plans.text import tidy

MOST_ITEMS = 20  # of one list
LONGEST_ITEM = 300  # characters
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


def one_line(text: str, longest: int = LONGEST_ITEM) -> str:
    line = " ".join(tidy(text).split())
    return line if len(line) <= longest else f"{line[: longest - 1].rstrip()}…"


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
    return _numbers(one) == _numbers(other) and alike(one, other)


def _numbers(text: str) -> frozenset[str]:
    return frozenset(number.replace(",", ".") for number in _NUMBER.findall(text))
