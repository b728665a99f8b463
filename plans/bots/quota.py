from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from django.db.models import Count, F, Q, QuerySet
from django.utils.formats import date_format
from django.utils.timezone import localtime

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


def places_taken(bot: Bot, rows: QuerySet) -> int:  # type: ignore[type-arg]
    """Return the places taken by these interviews and by those deleted past their time."""
    return int(rows.count()) + bot.places_gone


def quota(bot: Bot) -> Quota:
    """Return the bot's quota; annotate bots by `with_taken` to save a query each."""
    taken = getattr(bot, "taken", None)  # by with_taken
    return Quota(places_taken(bot, taken_by(bot)) if taken is None else taken, bot.quota)


def with_taken(bots: "QuerySet[Bot]") -> "QuerySet[Bot]":
    counts = Q(sessions__preview=False, sessions__synthetic=False)
    counts &= ~Q(sessions__status__in=NOT_COUNTED)
    held = Count("sessions", filter=counts, distinct=True)
    return bots.annotate(taken=held + F("places_gone"))


def describe_availability(bot: Bot, places: Quota, at: datetime) -> str:
    if bot.closes_at and bot.closes_at <= at:
        return f"Closed since {_local_time(bot, bot.closes_at)}: nobody can start"
    if places.full:
        return "All places are taken: nobody can start"
    if bot.opens_at and bot.opens_at > at:
        return f"Opens on {_local_time(bot, bot.opens_at)}: until then, nobody can start"
    who = "Invited people can start" if bot.invited_only else "Participants can start"
    if bot.hours_from is None or bot.hours_to is None:
        return who
    return f"{who} from {bot.hours_from:%H:%M} to {bot.hours_to:%H:%M} ({bot.time_zone})"


def _local_time(bot: Bot, at: datetime) -> str:
    local = localtime(at, ZoneInfo(bot.time_zone))
    return f"{date_format(local, 'j F Y, H:i')} ({bot.time_zone})"
