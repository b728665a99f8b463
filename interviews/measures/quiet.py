from datetime import datetime, timedelta

from django.db.models import QuerySet

from interviews.choices import ACTIVE
from interviews.models import Session, Turn

QUIET_AFTER = timedelta(hours=1)  # quiet for so long, an interview isn't running now


def last_heard_before(at: datetime) -> QuerySet[Session]:
    """Return active interviews in which nothing was heard since then."""
    active = Session.objects.filter(status__in=ACTIVE, started_at__lt=at)
    since = Turn.objects.filter(received_at__gte=at, session__status__in=ACTIVE)
    return active.exclude(pk__in=since.values("session"))
