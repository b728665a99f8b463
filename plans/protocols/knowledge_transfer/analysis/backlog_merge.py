"""Questions become rows of the backlog: none twice, none that a person has taken out."""

from collections.abc import Iterable
from functools import lru_cache

from django.db.models import Max

from plans.models import BacklogQuestion, Bot
from plans.models.knowledge import MOST_QUESTIONS
from plans.portability.keys import make_own_key
from plans.protocols.knowledge_transfer.analysis.sources import MOST_SOURCES, Place
from plans.protocols.knowledge_transfer.analysis.usable_questions import UsableQuestion
from plans.similarity import alike

MOST_REMEMBERED = 1_000  # earlier wordings
COMPARED = 50_000  # pairs of questions whose comparison is kept for the transaction


def warm_similarity_cache(bot: Bot, drafted: Iterable[UsableQuestion]) -> None:
    """Compares them with the backlog beforehand, so that the transaction of `reconcile` is short:
    with a long history it takes seconds."""
    rows = _Backlog(bot)
    for one in drafted:
        rows.like(one.text)


def reconcile(bot: Bot, drafted: Iterable[UsableQuestion]) -> int:
    """Takes drafted questions into the backlog; how many there was no room for.

    To be called in a transaction. One that is there, in whatever words, gets the new sources and
    nothing else; one that was there and was taken out stays out.
    """
    rows, left = _Backlog(bot), 0
    for one in drafted:
        there = rows.like(one.text)
        if isinstance(there, BacklogQuestion):
            _add_sources(there, one.sources)
        elif there is None and rows.full:
            left += 1
        elif there is None:
            rows.add(one)
    _alike.cache_clear()
    return left


class _Backlog:
    """The rows of a bot, with all the words that they and those before them ever had."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot
        self._rows = list(bot.backlog.all())
        records = BacklogQuestion.history.filter(bot_id=bot.pk)
        self._keys = {row.key for row in self._rows} | set(records.values_list("key", flat=True))
        self._earlier = list(records.values_list("text", "id")[:MOST_REMEMBERED])
        self._position = (bot.backlog.aggregate(last=Max("position"))["last"] or 0) + 1

    @property
    def full(self) -> bool:
        """Whether nothing more may come in."""
        return len(self._rows) >= MOST_QUESTIONS

    def like(self, text: str) -> BacklogQuestion | bool | None:
        """The row that asks for the same; True for one that is gone; None for none."""
        for row in self._rows:
            if _alike(text, row.text):
                return row
        for earlier, pk in self._earlier:
            if _alike(text, earlier):
                return next((row for row in self._rows if row.pk == pk), True)
        return None

    def add(self, one: UsableQuestion) -> None:
        key = make_own_key(one.text, self._keys)
        row = BacklogQuestion.objects.create(
            bot=self._bot,
            key=key,
            text=one.text,
            priority=one.priority,
            origin=BacklogQuestion.Origin.ANALYSIS,
            why=one.why,
            sources=list(one.sources),
            position=self._position,
        )
        self._rows.append(row)
        self._keys.add(key)
        self._position += 1


@lru_cache(maxsize=COMPARED)
def _alike(one: str, other: str) -> bool:
    return alike(one, other)


def _add_sources(row: BacklogQuestion, sources: Iterable[Place]) -> None:
    """Places that the row doesn't name yet, as far as there is room."""
    places: dict[tuple[str, str], Place] = {}
    for source in [*row.sources, *sources]:
        places.setdefault((source["document"], source.get("place", "")), source)
    together = list(places.values())[:MOST_SOURCES]
    if together != row.sources:
        row.sources = together
        row.save(update_fields=["sources"])
