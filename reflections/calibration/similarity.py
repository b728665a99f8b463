"""How alike the words of two answers are, by rules; and which of many answers is the most usual."""

import re
from collections.abc import Sequence

WORD = re.compile(r"[^\W_]+")
LETTERS = 3  # shorter words say little
STEM = 6  # letters by which a word is known, whatever its ending


def likeness(one: str, other: str) -> float:
    """The share of words in common, from 0 to 1: twice those in both, by those in each."""
    left, right = stems(one), stems(other)
    total = len(left) + len(right)
    return round(2 * len(left & right) / total, 4) if total else 0.0


def stems(text: str) -> frozenset[str]:
    """The beginnings of its words."""
    words = WORD.findall(text.casefold().replace("ё", "е"))
    return frozenset(word[:STEM] for word in words if len(word) >= LETTERS or word.isdigit())


def most_central(answers: Sequence[str]) -> int:
    """The place of the answer that is most like all others; the first of equals.

    Raises ValueError where there are none.
    """
    return max(range(len(answers)), key=lambda place: (_nearness(place, answers), -place))


def _nearness(place: int, answers: Sequence[str]) -> float:
    others = (other for i, other in enumerate(answers) if i != place)
    return sum(likeness(answers[place], other) for other in others)
