"""Ranking the places of documents by the words they share with a question, without a model.

Words are compared by their first letters, numbers exactly; a word weighs more the fewer places have
it.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import log

from plans.similarity import is_filler

STEM = 6
LEAST_SHARE = 0.2  # of the weight of the question's words
LEAST_RATIO = 0.5  # of the best place's score
LONGEST = 600  # characters of an excerpt
_WORD = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]{4,}")
_START = re.compile(r"(?:^|\n+|(?<=[.!?])\s+)(?=\S)")


@dataclass(frozen=True)
class PlaceMatch:
    """A place and the words of the question found there; `place` is any number naming it."""

    place: int
    words: frozenset[str]


def words_of(text: str) -> frozenset[str]:
    found = _WORD.findall(text.casefold().replace("ё", "е"))
    return frozenset(_stem(word) for word in found if not is_filler(word))


def weights_of(hits: Iterable[PlaceMatch], places: int) -> dict[str, float]:
    counts = Counter(word for hit in hits for word in hit.words)
    return {word: log(1 + places / count) for word, count in counts.items()}


def best_places(
    asked: frozenset[str], hits: Sequence[PlaceMatch], weights: Mapping[str, float], most: int = 3
) -> list[int]:
    """Return the most relevant places, best first; equal ones stay in their order."""
    unknown = max(weights.values(), default=0.0)
    total = sum(weights.get(word, unknown) for word in asked)
    scores = [sum(weights[word] for word in hit.words & asked) for hit in hits]
    ranked = sorted(range(len(hits)), key=lambda i: (-scores[i], i))
    least = max(LEAST_SHARE * total, LEAST_RATIO * max(scores, default=0.0))
    return [hits[i].place for i in ranked[:most] if scores[i] and scores[i] >= least]


def excerpt(text: str, weights: Mapping[str, float]) -> str:
    """Return the stretch of up to LONGEST characters that has most of the weighted words."""
    if len(text) <= LONGEST:
        return text
    starts = [match.end() for match in _START.finditer(text)] or [0]
    scores = [_weight(text[start : start + LONGEST], weights) for start in starts]
    best = max(scores)
    best_starts = [start for start, score in zip(starts, scores, strict=True) if score == best]
    start = best_starts[len(best_starts) // 2]  # the middle one has most context around the words
    cut = text[start : start + LONGEST].rstrip()
    return cut if start + LONGEST >= len(text) else f"{cut[: LONGEST - 1]}…"


def _weight(text: str, weights: Mapping[str, float]) -> float:
    return sum(weights.get(word, 0.0) for word in sorted(words_of(text)))


def _stem(word: str) -> str:
    """Return the word's first letters, or a number without its separators, which languages vary."""
    return re.sub("[.,]", "", word) if word[0].isdigit() else word[:STEM]
