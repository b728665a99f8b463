"""Reminders that nobody has to think of: three days after the letter, and seven."""

from datetime import timedelta

from django.core.cache import cache
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from interviews.models import Invitation, Mail
from interviews.recruitment.invitations.letters import NEVER_AGAIN, write
from interviews.recruitment.invitations.states import begun, finished, over_by
from plans.bots.quota import quota, with_taken
from plans.jobs import UNDER_WAY
from plans.models import Bot

AFTER = (timedelta(days=3), timedelta(days=7))  # since the letter; the first, the second reminder
APART = timedelta(days=2)  # at least, also from a reminder that was sent by hand
MOST_AT_ONCE = 200
EVERY = timedelta(minutes=10)
LOOKED = "invitations:reminders-looked-at"


def sweep(at_once: bool = False) -> int:
    """Wishes for the reminders that are due; how many. Looks once in ten minutes."""
    if not cache.add(LOOKED, True, EVERY.total_seconds()) and not at_once:
        return 0
    return sum(write(one, Mail.Kind.REMINDER) for one in due()[:MOST_AT_ONCE])


def due() -> QuerySet[Invitation]:
    """Of those who haven't finished at a bot that is open: the first letter longest ago first.

    Where all places are taken, only of those who have one.
    """
    now = timezone.now()
    late = Q()
    for reminders, after in enumerate(AFTER):
        late |= Q(reminders=reminders, sent_at__lte=now - after)
    lately = Q(reminded_at__gt=now - APART)
    bots = _open_bots()
    free = Q(bot__in=[bot for bot in bots if not quota(bot).full]) | begun()
    rows = Invitation.objects.filter(late, free, bot__in=bots, reminders__lt=NEVER_AGAIN)
    rows = rows.exclude(email="").exclude(lately).exclude(over_by(now)).exclude(finished())
    return rows.exclude(Exists(_on_their_way())).order_by("sent_at", "pk")


def _on_their_way() -> QuerySet[Mail]:
    """Letters that wait for the mail server: nobody gets two at once when it is back."""
    return Mail.objects.filter(invitation=OuterRef("pk"), status__in=UNDER_WAY)


def _open_bots() -> list[Bot]:
    now = timezone.now()
    live = with_taken(Bot.objects.filter(status=Bot.Status.LIVE))
    return [bot for bot in live if bot.is_open(now)]
