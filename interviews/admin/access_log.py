from datetime import timedelta
from typing import Any

from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db.models import Model
from django.utils import timezone

SEEN = "Read the transcript."
COLLECTED_SEEN = "Read the confidential data."
ONE_READING = timedelta(hours=1)  # coming back within this time isn't another reading


def record_seen(user: Any, row: Model, what: str = SEEN) -> None:
    """Log that the user has read it, once per reading."""
    entry = {
        "user_id": user.pk,
        "content_type": ContentType.objects.get_for_model(type(row)),
        "object_id": str(row.pk),
        "change_message": what,
    }
    recent = LogEntry.objects.filter(**entry, action_time__gt=timezone.now() - ONE_READING)
    if not recent.exists():
        LogEntry.objects.create(**entry, object_repr=str(row)[:200], action_flag=CHANGE)
