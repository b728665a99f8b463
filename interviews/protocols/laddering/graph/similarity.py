"""Whether two short texts mean the same.

The measure is that of similar questions, stricter in two ways: "without sugar" does not mean "with
sugar", and words that only look alike (heat and heart) are different words.
"""

import re
from functools import lru_cache

from rapidfuzz.fuzz import ratio

from plans.similarity import ALIKE, normalise, similarity

LOOKS_ALIKE = 84  # of 100, from which the measure takes one word for a slip of the other …
SHORT = 6  # … but a letter more or less makes another word of a short one
NEGATION = re.compile(
    r"\b(?:no|not|never|without|nothing|nobody|cannot|\w+n t|"
    r"non|senza|mai|niente|nessun\w*|не|нет|без|ни|никогда|ничего|никто)\b"
)
_normalise = lru_cache(maxsize=4096)(normalise)


def same_meaning(one: str, other: str) -> bool:
    a, b = _normalise(one), _normalise(other)
    if a == b:
        return bool(a)
    if similarity(a, b) < ALIKE:
        return False
    if bool(NEGATION.search(a)) != bool(NEGATION.search(b)):
        return False
    only_a, only_b = set(a.split()) - set(b.split()), set(b.split()) - set(a.split())
    return not any(_only_looks_alike(x, y) for x in only_a for y in only_b)


def _only_looks_alike(word: str, other: str) -> bool:
    if ratio(word, other) < LOOKS_ALIKE:
        return False
    short, long = sorted((word, other), key=len)
    if len(short) < SHORT:
        return not long.startswith(short)
    return short[0] != long[0]
