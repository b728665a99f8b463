"""Compare answers by their words: how alike two are, and which of many is the most typical."""

import re
from collections.abc import Sequence

WORD = re.compile(r"[^\W_]+")
LETTERS = 3  # shorter words say little
STEM = 6  # letters by which a word is known, whatever its ending


def likeness(one: str, other: str) -> float:
    """Return the share of words in common, 0 to 1 (Sørensen-Dice over word stems)."""
    left, right = stems(one), stems(other)
    total = len(left) + len(right)
    return round(2 * len(left & right) / total, 4) if total else 0.0


def stems(text: str) -> frozenset[str]:
    words = WORD.findall(text.casefold().replace("ё", "е"))
    return frozenset(word[:STEM] for word in words if len(word) >= LETTERS or word.isdigit())


def most_central(answers: Sequence[str]) -> int:
    """Return the index of the answer most like all others, the first of equals.

    Raises ValueError if there are none.
    """
    return max(range(len(answers)), key=lambda index: (_total_likeness(index, answers), -index))


def _total_likeness(index: int, answers: Sequence[str]) -> float:
    others = (other for i, other in enumerate(answers) if i != index)
    return sum(likeness(answers[index], other) for other in others)
