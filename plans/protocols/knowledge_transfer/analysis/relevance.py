"""Which places of the documents have most to do with a question: by shared words, without a model.

Words are compared by their beginnings and numbers as they stand; a word weighs by how few places
have it. Pure: what is ranked comes in, and nothing is looked up.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import log

from plans.similarity import is_filler

STEM = 6
ENOUGH = 0.2  # of the weight of a question's words, for a place to have to do with it
BESIDE = 0.5  # of the best place's worth, for another one to be named beside it
LONGEST = 600  # characters of an excerpt
_WORD = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]{4,}")
_START = re.compile(r"(?:^|\n+|(?<=[.!?])\s+)(?=\S)")


@dataclass(frozen=True)
class PlaceMatch:
    """A place that shares words with what is asked. `place` is whatever names it."""

    place: int
    words: frozenset[str]


def words_of(text: str) -> frozenset[str]:
    """What of a text is compared."""
    found = _WORD.findall(text.casefold().replace("ё", "е"))
    return frozenset(_stem(word) for word in found if not is_filler(word))


def weights_of(hits: Iterable[PlaceMatch], places: int) -> dict[str, float]:
    """How much each word that was found says, by how many of all places have it."""
    counts = Counter(word for hit in hits for word in hit.words)
    return {word: log(1 + places / count) for word, count in counts.items()}


def best_places(
    asked: frozenset[str], hits: Sequence[PlaceMatch], weights: Mapping[str, float], most: int = 3
) -> list[int]:
    """The places that have most to do with these words, the best first; those before others
    where they are equal."""
    unknown = max(weights.values(), default=0.0)
    whole = sum(weights.get(word, unknown) for word in asked)
    worth = [sum(weights[word] for word in hit.words & asked) for hit in hits]
    ranked = sorted(range(len(hits)), key=lambda i: (-worth[i], i))
    least = max(ENOUGH * whole, BESIDE * max(worth, default=0.0))
    return [hits[i].place for i in ranked[:most] if worth[i] and worth[i] >= least]


def excerpt(text: str, weights: Mapping[str, float]) -> str:
    """The stretch of a text in which most of these words stand, from the start of a line."""
    if len(text) <= LONGEST:
        return text
    starts = [match.end() for match in _START.finditer(text)] or [0]
    worth = [_weight(text[start : start + LONGEST], weights) for start in starts]
    top = max(worth)
    equal = [start for start, one in zip(starts, worth, strict=True) if one == top]
    start = equal[len(equal) // 2]  # words in the middle of it are read with what is around them
    cut = text[start : start + LONGEST].rstrip()
    return cut if start + LONGEST >= len(text) else f"{cut[: LONGEST - 1]}…"


def _weight(text: str, weights: Mapping[str, float]) -> float:
    return sum(weights.get(word, 0.0) for word in sorted(words_of(text)))


def _stem(word: str) -> str:
    """A word's beginning; a number without what separates its digits, which languages differ in."""
    return re.sub("[.,]", "", word) if word[0].isdigit() else word[:STEM]
