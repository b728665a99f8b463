from collections.abc import Iterable
from functools import lru_cache

from django.db.models import Max

from plans.models import BacklogQuestion, Bot
from plans.models.knowledge import MOST_QUESTIONS
from plans.portability.keys import make_own_key
from plans.protocols.knowledge_transfer.analysis.sources import MOST_SOURCES, Place
from plans.protocols.knowledge_transfer.analysis.usable_questions import UsableQuestion
from plans.similarity import alike

MOST_REMEMBERED = 1_000  # past wordings
COMPARED = 50_000  # pairs of questions in the cache


def warm_similarity_cache(bot: Bot, drafted: Iterable[UsableQuestion]) -> None:
    """Compare the questions with the backlog now, so that `reconcile` takes less time later."""
    backlog = _Backlog(bot)
    for question in drafted:
        backlog.like(question.text)


def reconcile(bot: Bot, drafted: Iterable[UsableQuestion]) -> int:
    """Merge drafted questions into the backlog, and return how many didn't fit.

    A question that is there in other words only gets the new sources; one that somebody deleted
    stays deleted. Call it in a transaction.
    """
    backlog, left_out = _Backlog(bot), 0
    for question in drafted:
        like = backlog.like(question.text)
        if isinstance(like, BacklogQuestion):
            _add_sources(like, question.sources)
        elif like is None and backlog.full:
            left_out += 1
        elif like is None:
            backlog.add(question)
    _alike.cache_clear()
    return left_out


class _Backlog:
    """A bot's backlog, with all its present and past wordings."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot
        self._rows = list(bot.backlog.all())
        records = BacklogQuestion.history.filter(bot_id=bot.pk)
        self._keys = {row.key for row in self._rows} | set(records.values_list("key", flat=True))
        self._earlier = list(records.values_list("text", "id")[:MOST_REMEMBERED])
        self._position = (bot.backlog.aggregate(last=Max("position"))["last"] or 0) + 1

    @property
    def full(self) -> bool:
        return len(self._rows) >= MOST_QUESTIONS

    def like(self, text: str) -> BacklogQuestion | bool | None:
        """Return the row that asks the same, True if that row was deleted, or None."""
        for row in self._rows:
            if _alike(text, row.text):
                return row
        for earlier, pk in self._earlier:
            if _alike(text, earlier):
                return next((row for row in self._rows if row.pk == pk), True)
        return None

    def add(self, question: UsableQuestion) -> None:
        key = make_own_key(question.text, self._keys)
        row = BacklogQuestion.objects.create(
            bot=self._bot,
            key=key,
            text=question.text,
            priority=question.priority,
            origin=BacklogQuestion.Origin.ANALYSIS,
            why=question.why,
            sources=list(question.sources),
            position=self._position,
        )
        self._rows.append(row)
        self._keys.add(key)
        self._position += 1


@lru_cache(maxsize=COMPARED)
def _alike(one: str, other: str) -> bool:
    return alike(one, other)


def _add_sources(row: BacklogQuestion, sources: Iterable[Place]) -> None:
    places: dict[tuple[str, str], Place] = {}
    for source in [*row.sources, *sources]:
        places.setdefault((source["document"], source.get("place", "")), source)
    merged = list(places.values())[:MOST_SOURCES]
    if merged != row.sources:
        row.sources = merged
        row.save(update_fields=["sources"])
