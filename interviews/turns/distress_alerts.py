"""Telling people that somebody in an interview seems to be in distress.

The letters are wished for in the transaction that flags the interview: both are there or neither.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.core.exceptions import ValidationError
from django.core.validators import validate_email

from interviews.models import Mail, Session, Turn
from interviews.recruitment.mail import request
from plans.models import Bot

SIGN = "distress"  # why a turn went as it did
PAUSE = timedelta(minutes=30)  # between letters about one interview


def alert(session: Session, at: datetime) -> int:
    """Wishes for a letter to everybody who is to be told of this sign; how many.

    Nobody is told of an interview that a program plays. A person who shows one sign after another
    makes one letter in half an hour. To be called in the transaction that flags the session.
    """
    people = [] if session.synthetic else addresses(session.bot)
    if not people or _told(session, at):
        return 0
    signs = Turn.objects.filter(session=session, decision__reason=SIGN).count()
    for address in people:
        request(Mail.Kind.ALERT, to=address, session=session, number=signs)
    return len(people)


def addresses(bot: Bot | None) -> Sequence[str]:
    """Whom the bot's alerts go to, each once; lines that are no addresses are left out."""
    lines = bot.alert_to.splitlines() if bot else []
    return list(dict.fromkeys(line.strip() for line in lines if _is_address(line.strip())))


def _is_address(line: str) -> bool:
    try:
        validate_email(line)
    except ValidationError:
        return False
    return True


def _told(session: Session, at: datetime) -> bool:
    mails = Mail.objects.filter(session=session, kind=Mail.Kind.ALERT)
    return mails.filter(created_at__gt=at - PAUSE).exists()
