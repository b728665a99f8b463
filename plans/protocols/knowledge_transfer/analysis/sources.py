"""Where in the documents a question comes from."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import QuerySet

from plans.documents.file_names import clean
from plans.models import Bot, DocumentPart
from plans.protocols.knowledge_transfer.analysis.relevance import (
    PlaceMatch,
    best_places,
    excerpt,
    weights_of,
    words_of,
)

MOST_SOURCES = 3
Place = dict[str, str]  # document, place, text


@dataclass(frozen=True)
class SourceQuery:
    """A question, with the (document, place) pairs that somebody gave as its sources."""

    text: str
    named: tuple[tuple[str, str], ...] = ()


def sources_for(bot: Bot, text: str) -> list[Place]:
    return sources_of(bot, [SourceQuery(text)])[0]


def sources_of(bot: Bot, queries: Sequence[SourceQuery]) -> list[list[Place]]:
    """Return the places for many questions; existing named ones win over those found."""
    index = _PlaceIndex(bot, [words_of(query.text) for query in queries])
    found = [index.places(q, words) for q, words in zip(queries, index.words, strict=True)]
    texts = _texts({pk for places in found for pk in places})
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


def _texts(pks: set[int]) -> dict[int, str]:
    return dict(DocumentPart.objects.filter(pk__in=pks).values_list("pk", "text"))
