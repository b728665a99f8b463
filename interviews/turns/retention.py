"""Delete what a bot's participants were told is kept no longer.

An interview's time runs from its end, or from its last words where it never ended. Counts by day
stay. Each deletion leaves an access record without content.
"""

from datetime import timedelta
from typing import Any

from django.core.cache import cache
from django.db.models import Max, Q, QuerySet
from django.db.models.functions import Coalesce
from django.utils import timezone

from interviews.models import AccessRecord, CollectedValue, ExportFile, Session
from interviews.turns.deletion import delete_sessions
from llm.models import LLMCall
from plans.models import Bot

EVERY = timedelta(hours=1)
SWEPT_KEY = "retention:looked-at"
MOST_AT_ONCE = 200  # interviews, so that a sweep is short
BY = "Retention"  # in the access record, where somebody's name would stand


def sweep(at_once: bool = False) -> int:
    """Delete what is due and return of how many interviews; looks once an hour."""
    if not cache.add(SWEPT_KEY, True, EVERY.total_seconds()) and not at_once:
        return 0
    limited = Q(keep_days__isnull=False) | Q(keep_contact_days__isnull=False)
    bots = Bot.objects.filter(limited | Q(keep_calls_days__isnull=False))
    return sum(_interviews(bot) + _contact_data(bot) + _calls(bot) for bot in bots)


def _interviews(bot: Bot) -> int:
    due = _due(bot, bot.keep_days)[:MOST_AT_ONCE]
    if due:
        delete_sessions(Session.objects.filter(pk__in=due), recount=False)
    return _record(bot, "interviews deleted", due, bot.keep_days)


def _contact_data(bot: Bot) -> int:
    due = _due(bot, bot.keep_contact_days, Q(pk__in=CollectedValue.objects.values("session")))
    due = due[:MOST_AT_ONCE]
    if due:
        CollectedValue.objects.filter(session__in=due).delete()
        ExportFile.forget([bot.pk])
    return _record(bot, "interviews’ contact data deleted", due, bot.keep_contact_days)


def _calls(bot: Bot) -> int:
    """Delete calls by their interview's id, which is text there: a part of the ids at a time."""
    due, gone = list(map(str, _due(bot, bot.keep_calls_days))), set[str]()
    for start in range(0, len(due), MOST_AT_ONCE):
        calls = LLMCall.objects.filter(session__in=due[start : start + MOST_AT_ONCE])
        gone.update(calls.order_by().values_list("session", flat=True).distinct())
        calls.delete()
    return _record(bot, "interviews’ model calls deleted", list(gone), bot.keep_calls_days)


def _due(bot: Bot, days: int | None, among: Q | None = None) -> list[Any]:
    """Return ids of interviews whose time is over, the oldest first."""
    if days is None:
        return []
    last = Coalesce("ended_at", Max("entries__at"), "started_at")
    past: QuerySet[Session] = (
        bot.sessions.filter(among or Q())
        .alias(last=last)
        .filter(last__lte=timezone.now() - timedelta(days=days))
    )
    return list(past.order_by("started_at").values_list("pk", flat=True))


def _record(bot: Bot, what: str, sessions: list[Any], days: int | None) -> int:
    if sessions:
        AccessRecord.objects.create(name=BY, what=f"{len(sessions)} {what} ({days} days)", bot=bot)
    return len(sessions)
