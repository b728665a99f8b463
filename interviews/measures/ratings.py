"""Participants rate the interview after its end: two optional answers from 1 to 5."""

from collections.abc import Mapping
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from interviews.choices import ENDED
from interviews.models import Rating, Session
from interviews.models.updates import advance
from interviews.validation import RequestRefused

QUESTIONS = ("heard", "ease")  # felt listened to, could say what they wanted to
MARKS = range(1, 6)


def asks_rating(session: Session) -> bool:
    """Return whether it is rated; after signs of distress, nobody is asked how it was."""
    if session.bot is None or session.flagged:
        return False
    return session.dialogue_status in ENDED and session.bot.asks_rating


def rating_of(session: Session) -> Rating | None:
    if session.dialogue_status not in ENDED:
        return None
    return Rating.objects.filter(session=session).first()


def rate(session: Session, answers: Mapping[str, int | None], at: datetime) -> int:
    """Store the given answers and return the session's sequence; None removes an answer.

    Raises RequestRefused (empty, not_over, not_asked), and Conflict if the session has changed
    since it was read.
    """
    if not answers:
        raise RequestRefused("empty", _("Choose an answer first."))
    if session.dialogue_status not in ENDED:
        raise RequestRefused("not_over", _("You can rate the interview once it has ended."))
    if not asks_rating(session):
        raise RequestRefused("not_asked", _("This interview doesn’t ask for a rating."))
    with transaction.atomic():
        advance(session)  # fails if the participant has withdrawn meanwhile
        Rating.objects.update_or_create(session=session, defaults={**answers, "at": at})
        Rating.objects.filter(session=session, heard=None, ease=None).delete()
    return session.sequence


def mark(given: object) -> int | None:
    return next((mark for mark in MARKS if str(mark) == str(given)), None)
