from datetime import timedelta
from typing import Any

from django.db.models import Model
from django.utils import timezone

from interviews.models import AccessRecord, Session
from plans.models import Bot

SEEN = "Read the transcript."
COLLECTED_SEEN = "Read the confidential data."
CONTACTS_SEEN = "Saw names and addresses."
WORDS_SEEN = "Searched what was said."
ONE_READING = timedelta(hours=1)  # coming back within this time isn't another reading


def record_seen(user: Any, row: Model | None, what: str = SEEN) -> None:
    """Record that the user has read it, once per reading; `row` is None for many bots' data."""
    if isinstance(row, Session):
        about = {"bot_id": row.bot_id, "session": row.pk}
    else:
        about = {"bot_id": row.pk if isinstance(row, Bot) else getattr(row, "bot_id", None)}
    recent = AccessRecord.objects.filter(at__gt=timezone.now() - ONE_READING)
    if not recent.filter(user_id=user.pk, what=what, **about).exists():
        AccessRecord.add(user, what, **about)
