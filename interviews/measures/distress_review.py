"""Which flagged interviews a person has looked at since signs of distress were last seen."""

from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.db.models import Exists, OuterRef, Q, QuerySet

from interviews.models import DistressReview, Session
from plans.text import tidy

LONGEST_NOTE = 2_000  # characters


def with_looks(sessions: QuerySet[Session]) -> QuerySet[Session]:
    """Annotate `looked`: whether somebody has looked since the last sign."""
    return sessions.annotate(looked=_is_reviewed())


def wanting(sessions: QuerySet[Session]) -> QuerySet[Session]:
    """Return those that somebody has to look at; nobody is in distress in a simulated one."""
    return sessions.filter(~_is_reviewed(), flagged=True, synthetic=False)


def looked_at(sessions: QuerySet[Session]) -> QuerySet[Session]:
    return sessions.filter(_is_reviewed(), flagged=True)


def _is_reviewed() -> Q:
    looks = DistressReview.objects.filter(session=OuterRef("pk"))
    recent = looks.filter(at__gte=OuterRef("flagged_at"))
    return Q(Exists(recent)) | Q(flagged_at=None) & Q(Exists(looks))


def look(session: Session, user: User, note: str, at: datetime) -> DistressReview:
    return DistressReview.objects.create(
        session=session, user=user, by=user.get_username(), note=tidy(note)[:LONGEST_NOTE], at=at
    )


def signs(session: Session) -> list[Any]:
    return list(session.turns.filter(decision__reason="distress").order_by("number"))
