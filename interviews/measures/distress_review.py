"""Whether anybody has looked at an interview since signs of distress were last seen in it."""

from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.db.models import Exists, OuterRef, Q, QuerySet

from interviews.models import DistressReview, Session

LONGEST_NOTE = 2_000  # characters


def with_looks(sessions: QuerySet[Session]) -> QuerySet[Session]:
    """Each with `looked`: whether somebody has looked since the last sign."""
    return sessions.annotate(looked=_looked())


def wanting(sessions: QuerySet[Session]) -> QuerySet[Session]:
    """Those in which there are signs that nobody has looked at."""
    return sessions.filter(~_looked(), flagged=True)


def looked_at(sessions: QuerySet[Session]) -> QuerySet[Session]:
    """Those in which there were signs, and somebody has looked since."""
    return sessions.filter(_looked(), flagged=True)


def _looked() -> Q:
    looks = DistressReview.objects.filter(session=OuterRef("pk"))
    since = looks.filter(at__gte=OuterRef("flagged_at"))
    return Q(Exists(since)) | Q(flagged_at=None) & Q(Exists(looks))


def look(session: Session, user: User, note: str, at: datetime) -> DistressReview:
    """Keeps that somebody has looked, with a note; the flag itself stays."""
    return DistressReview.objects.create(
        session=session,
        user=user,
        by=user.get_username(),
        note=note.replace("\0", "").strip()[:LONGEST_NOTE],
        at=at,
    )


def signs(session: Session) -> list[Any]:
    """The turns in which signs were seen."""
    return list(session.turns.filter(decision__reason="distress").order_by("number"))
