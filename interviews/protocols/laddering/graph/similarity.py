"""Whether two short texts mean the same.

The measure is that of similar questions, stricter in two ways: who says “without sugar” does not
mean “with sugar”, and words that only look alike (heat and heart) are different words.
"""

import re
from functools import lru_cache

from rapidfuzz.fuzz import ratio

from plans.similarity import ALIKE, normalise, similarity

LOOKS_ALIKE = 84  # of 100, from which the measure takes one word for a slip of the other …
SHORT = 6  # … but a letter more or less makes another word of a short one
NEGATING = re.compile(
    r"\b(?:no|not|never|without|nothing|nobody|cannot|\w+n t|"
    r"non|senza|mai|niente|nessun\w*|не|нет|без|ни|никогда|ничего|никто)\b"
)


def same(one: str, other: str) -> bool:
    """Whether the two mean the same; which comes first doesn't matter."""
    a, b = _plain(one), _plain(other)
    if a == b:
        return bool(a)
    if similarity(a, b) < ALIKE:
        return False
    return _negated(a) == _negated(b) and not _mistaken(a, b)


_plain = lru_cache(maxsize=4096)(normalise)


def _negated(plain: str) -> bool:
    return NEGATING.search(plain) is not None


def _mistaken(a: str, b: str) -> bool:
    """Whether a word of one was taken for a slip of another word of the other."""
    mine, others = set(a.split()), set(b.split())
    return any(_only_looks_alike(word, other) for word in mine - others for other in others - mine)


def _only_looks_alike(word: str, other: str) -> bool:
    if ratio(word, other) < LOOKS_ALIKE:
        return False
    short, long = sorted((word, other), key=len)
    if len(short) < SHORT:
        return not long.startswith(short)
    return short[0] != long[0]
