"""How many interviews a bot still takes."""

from datetime import datetime

from django.utils.translation import gettext as _

from interviews.choices import ACTIVE
from interviews.models import Participant
from interviews.validation import RequestRefused
from plans.bots.quota import taken_by
from plans.models import Bot


def within_quota(bot: Bot, person: Participant | None, at: datetime) -> None:
    """Raises RequestRefused: full."""
    if bot.quota is None:
        return
    taken = taken_by(bot)
    if person is not None:  # beginning anew puts their earlier one aside, which frees its place
        taken = taken.exclude(participant=person, status__in=ACTIVE)
    if taken.count() >= bot.quota:
        raise RequestRefused("full", _("All places in this interview are taken."))
