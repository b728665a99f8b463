"""How many of the interviews that a bot is to give are taken."""

from dataclasses import dataclass

from django.db.models import Count, Q, QuerySet

from plans.models import Bot

GONE = ("ARCHIVED", "WITHDRAWN")  # put aside for a newer one; taken back


@dataclass(frozen=True)
class Quota:
    """Interviews finished or under way, of how many that are wanted (None: as many as come)."""

    taken: int
    wanted: int | None

    @property
    def full(self) -> bool:
        """Whether there is no place left."""
        return self.wanted is not None and self.taken >= self.wanted

    def __str__(self) -> str:
        return str(self.taken) if self.wanted is None else f"{self.taken} of {self.wanted}"


def taken_by(bot: Bot) -> QuerySet:  # type: ignore[type-arg]  # of interviews, which are above
    """The interviews that count: begun or finished, and real ones."""
    rows: QuerySet = bot.sessions.filter(preview=False, synthetic=False)  # type: ignore[type-arg]
    return rows.exclude(status__in=GONE)


def quota(bot: Bot) -> Quota:
    """How it stands with a bot's places."""
    taken = getattr(bot, "taken", None)  # by with_taken
    return Quota(taken_by(bot).count() if taken is None else taken, bot.quota)


def with_taken(bots: "QuerySet[Bot]") -> "QuerySet[Bot]":
    """The bots, each with what quota() needs, in one query."""
    counts = Q(sessions__preview=False, sessions__synthetic=False) & ~Q(sessions__status__in=GONE)
    return bots.annotate(taken=Count("sessions", filter=counts, distinct=True))
