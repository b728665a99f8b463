"""What participants think of the interview itself: two answers from 1 to 5, after its end.

Each may be left out, and changed later. Kept with the session, and gone with it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from interviews.choices import ENDED
from interviews.models import Rating, Session
from interviews.models.updates import advance
from interviews.validation import RequestRefused

QUESTIONS = ("heard", "ease")  # felt listened to, could say what they wanted to
MARKS = range(1, 6)


@dataclass(frozen=True, slots=True)
class RatingAnswers:
    """What was answered so far; None: left out."""

    heard: int | None = None
    ease: int | None = None


def asks_rating(session: Session) -> bool:
    """Whether the two questions are put: once the interview has ended, if its bot asks them."""
    return session.status in ENDED and session.bot is not None and session.bot.asks_rating


def rating_of(session: Session) -> RatingAnswers | None:
    """What the participant answered; None where nothing was."""
    if session.status not in ENDED:
        return None
    row = Rating.objects.filter(session=session).first()
    return RatingAnswers(row.heard, row.ease) if row else None


def rate(session: Session, told: Mapping[str, int | None], at: datetime) -> int:
    """Keeps the answers that were told, and leaves the other as it was; None takes one back.

    Returns the session's sequence number. Raises RequestRefused (empty, not_over, not_asked), and
    Conflict where the session has changed since it was read.
    """
    if not told:
        raise RequestRefused("empty", _("There is nothing to send yet."))
    if session.status not in ENDED:
        raise RequestRefused("not_over", _("This is asked when the interview has ended."))
    if not asks_rating(session):
        raise RequestRefused("not_asked", _("This is not asked here."))
    with transaction.atomic():
        advance(session)  # who has withdrawn meanwhile leaves nothing
        Rating.objects.update_or_create(session=session, defaults={**told, "at": at})
        Rating.objects.filter(session=session, heard=None, ease=None).delete()
    return session.sequence


def mark(given: object) -> int | None:
    """An answer as a form sends it; None for anything but 1 to 5."""
    plain = str(given)
    return int(plain) if plain in {str(number) for number in MARKS} else None
