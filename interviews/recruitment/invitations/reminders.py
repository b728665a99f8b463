"""Automatic reminders, three and seven days after the letter."""

from datetime import timedelta

from django.core.cache import cache
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from interviews.choices import ACTIVE, ENDED
from interviews.models import Invitation, Mail
from interviews.recruitment.invitations.letters import NEVER_AGAIN, request_letter
from interviews.recruitment.invitations.states import has_session, over_at
from plans.bots.quota import quota, with_taken
from plans.jobs import UNDER_WAY
from plans.models import Bot

AFTER = (timedelta(days=3), timedelta(days=7))  # from the letter to each reminder
MIN_INTERVAL = timedelta(days=2)  # since the last one, also if sent by hand
MOST_AT_ONCE = 200
EVERY = timedelta(minutes=10)
SWEPT_KEY = "invitations:reminders-looked-at"


def sweep(at_once: bool = False) -> int:
    """Request the reminders that are due and return how many; runs every ten minutes."""
    if not cache.add(SWEPT_KEY, True, EVERY.total_seconds()) and not at_once:
        return 0
    return sum(request_letter(one, Mail.Kind.REMINDER) for one in due()[:MOST_AT_ONCE])


def due() -> QuerySet[Invitation]:
    """Return invitations to remind, the oldest letter first.

    Only people who haven't finished at an open bot; if its quota is full, only those under way.
    """
    now = timezone.now()
    overdue = Q()
    for reminders, after in enumerate(AFTER):
        overdue |= Q(reminders=reminders, sent_at__lte=now - after)
    recent = Q(reminded_at__gt=now - MIN_INTERVAL)
    live = with_taken(Bot.objects.filter(status=Bot.Status.LIVE))
    bots = [bot for bot in live if bot.is_open(now)]
    has_place = Q(bot__in=[bot for bot in bots if not quota(bot).full]) | has_session(ACTIVE)
    rows = Invitation.objects.filter(overdue, has_place, bot__in=bots, reminders__lt=NEVER_AGAIN)
    rows = rows.exclude(email="").exclude(recent).exclude(over_at(now)).exclude(has_session(ENDED))
    # Nobody gets two letters at once when a mail server is back.
    waiting = Mail.objects.filter(invitation=OuterRef("pk"), status__in=UNDER_WAY)
    return rows.exclude(Exists(waiting)).order_by("sent_at", "pk")
