from datetime import timedelta
from typing import Any

from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db.models import Model
from django.utils import timezone

SEEN = "Read the transcript."
COLLECTED_SEEN = "Read the data given in confidence."
ONE_READING = timedelta(hours=1)  # turning back to it within this time is not another


def record_seen(user: Any, row: Model, what: str = SEEN) -> None:
    """Log that the user has read it, once per reading."""
    about = {
        "user_id": user.pk,
        "content_type": ContentType.objects.get_for_model(type(row)),
        "object_id": str(row.pk),
        "change_message": what,
    }
    lately = LogEntry.objects.filter(**about, action_time__gt=timezone.now() - ONE_READING)
    if not lately.exists():
        LogEntry.objects.create(**about, object_repr=str(row)[:200], action_flag=CHANGE)
