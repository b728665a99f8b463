"""Where in the documents a question comes from.

Places are ranked by the words they share with it, without a model: words are compared by their
first letters, numbers exactly; a word weighs more the fewer places have it.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import log

from django.db.models import QuerySet

from plans.documents.file_types import clean
from plans.models import Bot, DocumentPart
from plans.similarity import is_filler

STEM = 6
LEAST_SHARE = 0.2  # of the weight of the question's words
LEAST_RATIO = 0.5  # of the best place's score
LONGEST = 600  # characters of an excerpt
_WORD = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]{4,}")
_START = re.compile(r"(?:^|(?<!\n)\n++|(?<=[.!?])\s++)(?=\S)")


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


MOST_SOURCES = 3
Place = dict[str, str]  # document, place, text


@dataclass(frozen=True)
class SourceQuery:
    """A question, with the (document, place) pairs that somebody gave as its sources."""

    text: str
    named: tuple[tuple[str, str], ...] = ()


def sources_of(bot: Bot, queries: Sequence[SourceQuery]) -> list[list[Place]]:
    """Return the places for many questions; existing named ones win over those found."""
    if not queries:
        return []
    index = _PlaceIndex(bot, [words_of(query.text) for query in queries])
    found = [index.places(q, words) for q, words in zip(queries, index.words, strict=True)]
    parts = DocumentPart.objects.filter(pk__in={pk for places in found for pk in places})
    texts = dict(parts.values_list("pk", "text"))
    return [
        [index.place(pk, texts[pk], words) for pk in places if pk in texts]
        for places, words in zip(found, index.words, strict=True)
    ]


class _PlaceIndex:
    """The queries' words in all parts of the bot's documents, read once for all queries."""

    def __init__(self, bot: Bot, words: Sequence[frozenset[str]]) -> None:
        self.words = words
        self._where: dict[int, tuple[str, str]] = {}
        self._hits: list[PlaceMatch] = []
        all_words = frozenset().union(*words)
        for pk, name, place, text in _parts(bot):
            self._where[pk] = (name, place)
            self._hits.append(PlaceMatch(pk, words_of(text) & all_words))
        self._weights = weights_of(self._hits, len(self._hits))

    def places(self, query: SourceQuery, words: frozenset[str]) -> list[int]:
        named = [self._named(document, place, words) for document, place in query.named]
        existing = list(dict.fromkeys(pk for pk in named if pk is not None))
        if existing:
            return existing[:MOST_SOURCES]
        return best_places(words, self._hits, self._weights, MOST_SOURCES)

    def place(self, pk: int, text: str, words: frozenset[str]) -> Place:
        document, place = self._where[pk]
        weights = {word: self._weights.get(word, 0.0) for word in words}
        return {"document": document, "place": place, "text": excerpt(text, weights)}

    def _named(self, document: str, place: str, words: frozenset[str]) -> int | None:
        name = clean(document).casefold()
        inside = [hit for hit in self._hits if self._where[hit.place][0].casefold() == name]
        exact = [hit for hit in inside if self._where[hit.place][1] == place.strip()]
        found = best_places(words, exact or inside, self._weights, 1)
        return found[0] if found else next((hit.place for hit in exact), None)


def _parts(bot: Bot) -> "QuerySet[DocumentPart, tuple[int, str, str, str]]":
    parts = DocumentPart.objects.filter(document__bot=bot)
    return parts.values_list("pk", "document__name", "place", "text")
