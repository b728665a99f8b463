"""Delete what a bot's participants were told is kept no longer.

An interview's time runs from its end, or from its last words where it never ended. Counts by day
stay. Each deletion leaves an access record without content.
"""

from collections import Counter, defaultdict
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.core.cache import cache
from django.db import transaction
from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone

from interviews.choices import ENDED, SessionStatus
from interviews.models import (
    AccessRecord,
    Assignment,
    CollectedValue,
    Erasure,
    ExportFile,
    Invitation,
    Session,
    TranscriptEntry,
)
from interviews.recruitment.invitations.changes import erase_contacts, revoke
from interviews.turns.deletion import delete_sessions
from interviews.turns.withdrawal import wait_for_work
from llm.models import LLMCall
from plans.bots.quota import taken_by
from plans.models import Bot

EVERY = timedelta(hours=1)
SWEPT_KEY = "retention:looked-at"
MOST_AT_ONCE = 200  # interviews, so that a sweep is short
LAST = Coalesce(
    "ended_at",
    Subquery(
        TranscriptEntry.objects.filter(session=OuterRef("pk")).order_by("-at").values("at")[:1]
    ),
    "started_at",
)
BY = "Retention"  # in the access record, where somebody's name would stand


Keep = Callable[[Bot, list[Any]], object]


def sweep(at_once: bool = False, keep: Keep = lambda bot, going: None) -> int:
    """Delete what is due and return of how many interviews; looks once an hour.

    `keep` is called with a bot's interviews before they are deleted, whose counts stay.
    """
    if not cache.add(SWEPT_KEY, True, EVERY.total_seconds()) and not at_once:
        return 0
    limited = Q(keep_days__isnull=False) | Q(keep_contact_days__isnull=False)
    bots = Bot.objects.filter(limited)
    return sum(_interviews(bot, keep) + _contact_data(bot) for bot in bots) + _calls()


def _interviews(bot: Bot, keep: Keep) -> int:
    due = _due(bot, bot.keep_days)[:MOST_AT_ONCE]
    if due:
        finished = Session.objects.filter(pk__in=due, status__in=ENDED).values("invitation")
        revoke(Invitation.objects.filter(pk__in=finished))  # who is neither reminded nor let in
        with transaction.atomic():
            # Two sweeps count in turn, and the time is the one that is set now.
            bot = Bot.objects.select_for_update(no_key=True).get(pk=bot.pk)
            due = _still_due(bot, due)
            keep(bot, due)
            _keep_places(bot, due)
            if bot.keep_contact_days:  # without the interview nothing tells when it is over
                erase_contacts(Invitation.objects.filter(sessions__in=due))
            delete_sessions(Session.objects.filter(pk__in=due), recount=False)
    return _record(bot, "interviews deleted", due, bot.keep_days)


def _keep_places(bot: Bot, going: list[Any]) -> None:
    """Count on what these interviews have taken: of the bot, of quota cells, of experiments."""
    taken = taken_by(bot).filter(pk__in=going)
    completed = taken.filter(status=SessionStatus.COMPLETED)
    cells = Counter(completed.exclude(cell="").order_by().values_list("cell", flat=True))
    Bot.objects.filter(pk=bot.pk).update(
        places_gone=bot.places_gone + taken.count(), cells_gone=cells + Counter(bot.cells_gone)
    )
    Assignment.objects.filter(session__in=completed).update(session=None)


def _still_due(bot: Bot, keys: list[Any]) -> list[Any]:
    """Lock these interviews, and leave out those that somebody has gone on with meanwhile."""
    wait_for_work(keys)
    list(Session.objects.filter(pk__in=keys).order_by("pk").select_for_update().values_list("pk"))
    return _due(bot, bot.keep_days, Q(pk__in=keys))


def _contact_data(bot: Bot) -> int:
    collected = Q(pk__in=CollectedValue.objects.values("session"))
    invited = Q(invitation__in=bot.invitations.exclude(name="", email=""))
    due = _due(bot, bot.keep_contact_days, collected | invited)[:MOST_AT_ONCE]
    if due:
        CollectedValue.objects.filter(session__in=due).delete()
        erase_contacts(Invitation.objects.filter(sessions__in=due))
        ExportFile.forget([bot.pk])
    return _record(bot, "interviews’ contact data deleted", due, bot.keep_contact_days)


def _calls() -> int:
    """Delete calls by their interview's id, which is text there: a part of the ids at a time.

    It begins at the calls, since most interviews that are past their time have none any more.
    """
    bots = {bot.pk: bot for bot in Bot.objects.filter(keep_calls_days__isnull=False)}
    if not bots:
        return 0
    logged = LLMCall.objects.exclude(session="").order_by().values_list("session", flat=True)
    ids, gone = list(logged.distinct()), defaultdict[int, list[UUID]](list)
    for start in range(0, len(ids), MOST_AT_ONCE):
        some = Session.objects.filter(pk__in=ids[start : start + MOST_AT_ONCE], bot__in=bots)
        due = [
            (bot, pk)
            for bot, pk, last in some.annotate(last=LAST).values_list("bot", "pk", "last")
            if last <= timezone.now() - timedelta(days=bots[bot].keep_calls_days)
        ]
        LLMCall.objects.filter(session__in=[str(pk) for _, pk in due]).delete()
        for bot, pk in due:
            gone[bot].append(pk)
    if gone:
        Erasure.record()
    what = "interviews’ model calls deleted"
    return sum(
        _record(bots[bot], what, keys, bots[bot].keep_calls_days) for bot, keys in gone.items()
    )


def _due(bot: Bot, days: int | None, among: Q | None = None) -> list[Any]:
    """Return ids of interviews whose time is over, the oldest first."""
    if days is None:
        return []
    past: QuerySet[Session] = (
        bot.sessions.filter(among or Q())
        .alias(last=LAST)
        .filter(last__lte=timezone.now() - timedelta(days=days))
    )
    return list(past.order_by("started_at").values_list("pk", flat=True))


def _record(bot: Bot, what: str, sessions: list[Any], days: int | None) -> int:
    if sessions:
        AccessRecord.objects.create(name=BY, what=f"{len(sessions)} {what} ({days} days)", bot=bot)
    return len(sessions)
