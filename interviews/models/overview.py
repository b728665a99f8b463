from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

from django.conf import settings
from django.db import models
from django.db.models import F, Max, Q, QuerySet
from django.utils import timezone

from interviews.choices import ACTIVE, EntryKind
from interviews.models.session import Session
from interviews.models.transcript import TranscriptEntry, Turn
from plans.models import Bot
from plans.text import word_count

QUIET_AFTER = timedelta(hours=1)  # quiet for so long, an interview isn't running now
SETTLED_AFTER = timedelta(hours=24)  # quiet for so long, an interview counts as dropped
PAST = datetime(2000, 1, 1, tzinfo=UTC)


class OverviewDay(models.Model):
    """What was counted of a bot's interviews that started on one day (UTC).

    It holds until `fresh_until`, or for good without it: then all of the day's interviews have
    ended or been quiet for a day, and it is due again if one of them changes after all.
    """

    bot = models.ForeignKey(Bot, on_delete=models.CASCADE, related_name="+")
    day = models.DateField()
    counts = models.JSONField()  # group -> value -> number of interviews or answers
    gone = models.JSONField(default=dict)  # the part of it that was of deleted interviews
    fresh_until = models.DateTimeField(null=True)

    class Meta:
        default_permissions = ["view"]
        verbose_name = "overview"
        constraints = [models.UniqueConstraint(fields=["bot", "day"], name="overview_day_once")]

    def __str__(self) -> str:
        return f"{self.bot_id}: {self.day}"

    @classmethod
    def forget(cls, sessions: Iterable[Session]) -> None:
        """Have the days of these interviews counted again, where they were counted for good."""
        settled = timezone.now() - SETTLED_AFTER
        days = {(one.bot_id, utc_day(one.started_at)) for one in sessions if one.bot_id}
        wanted = [Q(bot=bot, day=day) for bot, day in days if day < settled.date()]
        if wanted:
            due = cls.objects.filter(Q(*wanted, _connector=Q.OR))
            due.update(fresh_until=PAST)


class TurnedAway(models.Model):
    """How many people couldn't start on one day (UTC), by reason. Nothing about them is stored."""

    bot = models.ForeignKey(Bot, on_delete=models.CASCADE, related_name="+")
    day = models.DateField()
    reason = models.CharField(max_length=30)  # code of the refusal
    people = models.PositiveIntegerField(default=0)

    class Meta:
        default_permissions = []
        constraints = [
            models.UniqueConstraint(fields=["bot", "day", "reason"], name="turned_away_once")
        ]

    def __str__(self) -> str:
        return f"{self.people} {self.reason}"

    @classmethod
    def add(cls, bot: Bot, reason: str) -> None:
        row: dict[str, Any] = {"bot": bot, "day": utc_day(timezone.now()), "reason": reason}
        if not cls.objects.filter(**row).update(people=F("people") + 1):
            cls.objects.get_or_create(**row)
            cls.objects.filter(**row).update(people=F("people") + 1)


class SharedOverview(models.Model):
    """A secret link to a bot's overview, to read only and without an account."""

    bot = models.OneToOneField(Bot, on_delete=models.CASCADE, related_name="+")
    key = models.UUIDField(unique=True, default=uuid4)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        default_permissions = []
        permissions = [("share_overview", "Can share overviews by link")]

    def __str__(self) -> str:
        return f"Overview of {self.bot}"


def utc_day(at: datetime) -> date:
    return at.astimezone(UTC).date()


def last_heard_before(at: datetime) -> QuerySet[Session]:
    """Return active interviews in which nothing was heard since then."""
    active = Session.objects.filter(status__in=ACTIVE, started_at__lt=at)
    since = Turn.objects.filter(received_at__gte=at, session__status__in=ACTIVE)
    return active.exclude(pk__in=since.values("session"))


def last_heard(sessions: QuerySet[Session]) -> dict[UUID, datetime]:
    """Return when something was last heard in those of the interviews that are active."""
    turns = Turn.objects.filter(session__in=sessions.filter(status__in=ACTIVE)).order_by()
    return dict(turns.values_list("session").annotate(last=Max("received_at")))


def words_of_answers(sessions: QuerySet[Session]) -> Iterator[tuple[UUID, int]]:
    """Yield the interview and the number of words of each of the interviews' answers in words."""
    answers = TranscriptEntry.objects.filter(session__in=sessions, kind=EntryKind.USER_ANSWER)
    rows = answers.order_by().values_list("session", "text")
    return ((session, word_count(text)) for session, text in rows.iterator())
