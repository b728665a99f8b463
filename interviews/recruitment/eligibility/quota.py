from datetime import datetime

from django.utils.translation import gettext as _

from interviews.choices import ACTIVE
from interviews.models import Participant
from interviews.validation import RequestRefused
from plans.bots.quota import taken_by
from plans.models import Bot


def check_quota(bot: Bot, person: Participant | None, at: datetime) -> None:
    """Raise RequestRefused: full."""
    if bot.quota is None:
        return
    taken = taken_by(bot)
    if person is not None:  # starting anew archives their active one, which frees its place
        taken = taken.exclude(participant=person, status__in=ACTIVE)
    if taken.count() >= bot.quota:
        raise RequestRefused("full", _("All places in this interview are taken."))
