from dataclasses import dataclass

from django.db.models import Count, Q, QuerySet

from plans.models import Bot

NOT_COUNTED = ("ARCHIVED", "WITHDRAWN")


@dataclass(frozen=True)
class Quota:
    """Interviews finished or under way, and how many are wanted (None: no limit)."""

    taken: int
    wanted: int | None

    @property
    def full(self) -> bool:
        return self.wanted is not None and self.taken >= self.wanted

    def __str__(self) -> str:
        return str(self.taken) if self.wanted is None else f"{self.taken} of {self.wanted}"


def taken_by(bot: Bot) -> QuerySet:  # type: ignore[type-arg]  # of sessions, a model of a higher app
    rows: QuerySet = bot.sessions.filter(preview=False, synthetic=False)  # type: ignore[type-arg]
    return rows.exclude(status__in=NOT_COUNTED)


def quota(bot: Bot) -> Quota:
    """Return the bot's quota; annotate bots by `with_taken` to save a query each."""
    taken = getattr(bot, "taken", None)  # by with_taken
    return Quota(taken_by(bot).count() if taken is None else taken, bot.quota)


def with_taken(bots: "QuerySet[Bot]") -> "QuerySet[Bot]":
    counts = Q(sessions__preview=False, sessions__synthetic=False)
    counts &= ~Q(sessions__status__in=NOT_COUNTED)
    return bots.annotate(taken=Count("sessions", filter=counts, distinct=True))
