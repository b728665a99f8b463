"""Whether two short texts mean the same.

The measure is that of similar questions, stricter in two ways: "without sugar" does not mean "with
sugar", and words that only look alike (heat and heart) are different words.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from rapidfuzz.fuzz import ratio

from plans.protocols.laddering.schema.concept import Element
from plans.similarity import ALIKE, normalise, similarity

LOOKS_ALIKE = 84  # of 100, from which the measure takes one word for a slip of the other …
SHORT = 6  # … but a letter more or less makes another word of a short one
NEGATION = re.compile(
    r"\b(?:no|not|never|without|nothing|nobody|neither|nor|cannot|\w+n t|dont|dislik\w*|hate[sd]?|"
    r"non|senza|mai|niente|nulla|nessun\w*|né|detest\w*|odi(?:o|a)|"
    r"не|нет|без|ни|никогда|ничего|никто|ненави\w*|"
    r"nicht|kein\w*|nie|niemals|ohne|nichts|niemand\w*|weder|hasse|hasst|"
    r"pas|jamais|sans|rien|aucun\w*|ni|déteste\w*|"
    r"sin|nunca|jamás|nada|nadie|ningun\w*|ningún|tampoco|"
    r"لا|لم|لن|ليس\w*|لست|غير|بدون|بلا|دون|أبدا|مش|مو|أكره)\b"
)
_normalise = lru_cache(maxsize=4096)(normalise)


def same_meaning(one: str, other: str) -> bool:
    a, b = _normalise(one), _normalise(other)
    if a == b:
        return bool(a)
    if similarity(a, b) < ALIKE:
        return False
    if _denies(a) != _denies(b):
        return False
    only_a, only_b = set(a.split()) - set(b.split()), set(b.split()) - set(a.split())
    return not any(_only_looks_alike(x, y) for x in only_a for y in only_b)


def opposite(one: str, other: str) -> bool:
    """Return whether one says what the other denies, in nearly the same words."""
    a, b = _normalise(one), _normalise(other)
    if _denies(a) == _denies(b):
        return False
    return same_meaning(*(" ".join(NEGATION.sub(" ", text).split()) for text in (a, b)))


@lru_cache(maxsize=4096)
def _denies(plain: str) -> bool:
    return NEGATION.search(plain) is not None


def _only_looks_alike(word: str, other: str) -> bool:
    if ratio(word, other) < LOOKS_ALIKE:
        return False
    short, long = sorted((word, other), key=len)
    if len(short) < SHORT:
        return not long.startswith(short)
    return short[0] != long[0]


MAX_WORDS = 12  # of a text that as a whole may be a name in other words
PREFIX = 3  # letters


def find_elements(text: str, elements: Sequence[Element]) -> tuple[str, ...]:
    """Return the ids of elements whose label or alias the text holds, exactly or nearly."""
    return tuple(e.id for e in elements if any(_holds(text, name) for name in e.names))


@lru_cache(maxsize=16_384)  # each turn asks about all nodes again
def _holds(text: str, name: str) -> bool:
    plain, name = _normalise(text), _normalise(name)
    if f" {name} " in f" {plain} ":
        return True
    words = plain.split()
    if len(words) <= MAX_WORDS and same_meaning(plain, name):
        return True
    return any(same_meaning(part, name) for part in _similar_parts(words, name.split()))


def _similar_parts(words: Sequence[str], name: Sequence[str]) -> Iterator[str]:
    """Yield each run of as many words as the name has in which one begins like one of the name."""
    prefixes = {word[:PREFIX] for word in name}
    matches = [word[:PREFIX] in prefixes for word in words]
    count = len(name)
    for i in range(len(words) - count + 1):
        if any(matches[i : i + count]):
            yield " ".join(words[i : i + count])
