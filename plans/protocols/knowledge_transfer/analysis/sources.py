"""Where in the documents a question comes from: a place that is named, or else the best found."""

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
    """A question, and where somebody says that it comes from: (document, place), both as said."""

    text: str
    named: tuple[tuple[str, str], ...] = ()


def sources_for(bot: Bot, text: str) -> list[Place]:
    """The places of the bot's documents that have most to do with a question, the best first."""
    return sources_of(bot, [SourceQuery(text)])[0]


def sources_of(bot: Bot, wanted: Sequence[SourceQuery]) -> list[list[Place]]:
    """The same for many questions; places that are named and exist come before what is found."""
    shelf = _PlaceIndex(bot, [words_of(one.text) for one in wanted])
    found = [shelf.places(one, asked) for one, asked in zip(wanted, shelf.asked, strict=True)]
    texts = _texts({pk for places in found for pk in places})
    return [
        [shelf.place(pk, texts[pk], asked) for pk in places if pk in texts]
        for places, asked in zip(found, shelf.asked, strict=True)
    ]


class _PlaceIndex:
    """Which of the asked words stand where; read once, whatever the number of questions."""

    def __init__(self, bot: Bot, asked: Sequence[frozenset[str]]) -> None:
        self.asked = asked
        self._where: dict[int, tuple[str, str]] = {}
        self._hits: list[PlaceMatch] = []
        every = frozenset().union(*asked)
        for pk, name, place, text in _parts(bot):
            self._where[pk] = (name, place)
            self._hits.append(PlaceMatch(pk, words_of(text) & every))
        self._weights = weights_of(self._hits, len(self._hits))

    def places(self, wanted: SourceQuery, asked: frozenset[str]) -> list[int]:
        """The parts for one question."""
        named = [self._named(document, place, asked) for document, place in wanted.named]
        sure = list(dict.fromkeys(pk for pk in named if pk is not None))
        return sure[:MOST_SOURCES] or best_places(asked, self._hits, self._weights, MOST_SOURCES)

    def place(self, pk: int, text: str, asked: frozenset[str]) -> Place:
        document, place = self._where[pk]
        weights = {word: self._weights.get(word, 0.0) for word in asked}
        return {"document": document, "place": place, "text": excerpt(text, weights)}

    def _named(self, document: str, place: str, asked: frozenset[str]) -> int | None:
        """The part that is meant: the very place, else the best one of that document."""
        name = clean(document).casefold()
        inside = [hit for hit in self._hits if self._where[hit.place][0].casefold() == name]
        there = [hit for hit in inside if self._where[hit.place][1] == place.strip()]
        found = best_places(asked, there or inside, self._weights, 1)
        return found[0] if found else next((hit.place for hit in there), None)


def _parts(bot: Bot) -> "QuerySet[DocumentPart, tuple[int, str, str, str]]":
    parts = DocumentPart.objects.filter(document__bot=bot)
    return parts.values_list("pk", "document__name", "place", "text")


def _texts(pks: set[int]) -> dict[int, str]:
    return dict(DocumentPart.objects.filter(pk__in=pks).values_list("pk", "text"))
