"""How many interviews a bot still takes."""

from datetime import datetime

from django.utils.translation import gettext as _

from interviews.gate import Refused
from interviews.models import Participant
from interviews.words import ACTIVE
from plans.models import Bot
from plans.quota import taken_by


def within_quota(bot: Bot, person: Participant | None, at: datetime) -> None:
    """Raises Refused: full."""
    if bot.quota is None:
        return
    taken = taken_by(bot)
    if person is not None:  # beginning anew puts their earlier one aside, which frees its place
        taken = taken.exclude(participant=person, status__in=ACTIVE)
    if taken.count() >= bot.quota:
        raise Refused("full", _("All places in this interview are taken."))
