"""Extractive summary of a document: its own sentences, chosen without a model.

A word weighs the logarithm of the number of sentences that contain it, unless half of them do:
then it weighs nothing. Words are compared by their beginnings, which is enough for the endings of
English, Italian and Russian. A sentence scores the sum of its words' weights over the root of
their number, a third more with a figure in it, and a fifth more at the beginning of a part. The
best are taken one by one, without those that mostly repeat others, in the document's order.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from math import log, sqrt
from typing import Protocol

from plans.similarity import normalise

MOST_SENTENCES = 5_000
SHORTEST, LONGEST = 25, 400  # characters of a sentence
MIN_LETTERS = 4  # letters; shorter words mostly carry grammar
STEM = 6  # letters
MAX_OVERLAP = 0.5

_SENTENCE_END = re.compile(r"(?<=[.!?…])[\s\"”»)]+(?=[\"“«(]?[^\Wa-zа-яё_])|\n+")
_BULLETS = re.compile(r"^[\s#>*+\-–—•|]+")


class Passage(Protocol):
    """A text and its place: a part, or a row that holds one."""

    @property
    def text(self) -> str: ...

    @property
    def place(self) -> str: ...


@dataclass(frozen=True)
class Point:
    text: str
    place: str


@dataclass(frozen=True)
class _Sentence:
    point: Point
    words: frozenset[str]
    leads: bool


def summary(parts: Iterable[Passage], sentences: int = 5) -> tuple[Point, ...]:
    """Return at most so many sentences that say most of what the parts say, in their order."""
    found = list(islice(_sentences(parts), MOST_SENTENCES))
    weights = _weights(found)
    ranked = sorted(range(len(found)), key=lambda i: (-_worth(found[i], weights), i))
    taken: list[int] = []
    for i in ranked:
        if len(taken) >= sentences:
            break
        if not any(_repeats(found[i], found[other]) for other in taken):
            taken.append(i)
    return tuple(found[i].point for i in sorted(taken))


def _sentences(parts: Iterable[Passage]) -> Iterable[_Sentence]:
    for part in parts:
        leads = True
        for raw in _SENTENCE_END.split(part.text):
            text = " ".join(_BULLETS.sub("", raw).split())
            words = frozenset(w[:STEM] for w in normalise(text).split() if len(w) >= MIN_LETTERS)
            if SHORTEST <= len(text) <= LONGEST and len(words) > 2:
                yield _Sentence(Point(text, part.place), words, leads)
                leads = False


def _weights(found: Sequence[_Sentence]) -> dict[str, float]:
    counts = Counter(word for sentence in found for word in sentence.words)
    common = max(3, len(found) / 2)
    return {word: log(1 + n) if n <= common else 0.0 for word, n in counts.items()}


def _worth(sentence: _Sentence, weights: dict[str, float]) -> float:
    worth = sum(weights[word] for word in sorted(sentence.words)) / sqrt(len(sentence.words))
    if any(map(str.isdigit, sentence.point.text)):
        worth *= 4 / 3
    return worth * 6 / 5 if sentence.leads else worth


def _repeats(one: _Sentence, other: _Sentence) -> bool:
    shared = len(one.words & other.words)
    return shared > MAX_OVERLAP * min(len(one.words), len(other.words))
