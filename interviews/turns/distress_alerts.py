from collections.abc import Sequence
from datetime import datetime, timedelta

from django.core.exceptions import ValidationError
from django.core.validators import validate_email

from interviews.models import Mail, Session, Turn
from interviews.recruitment.mail import request
from plans.models import Bot

SIGN = "distress"  # a turn's reason
PAUSE = timedelta(minutes=30)  # between e-mails about one interview


def alert(session: Session, at: datetime) -> int:
    """Request an e-mail to each of the bot's alert addresses; return how many.

    None for synthetic interviews, and at most one per address, interview and half hour. Call it in
    the transaction that flags the session.
    """
    recipients = [] if session.synthetic else addresses(session.bot)
    if not recipients or _recently_alerted(session, at):
        return 0
    signs = Turn.objects.filter(session=session, decision__reason=SIGN).count()
    for address in recipients:
        request(Mail.Kind.ALERT, to=address, session=session, number=signs)
    return len(recipients)


def addresses(bot: Bot | None) -> Sequence[str]:
    lines = bot.alert_to.splitlines() if bot else []
    return list(dict.fromkeys(line.strip() for line in lines if _is_address(line.strip())))


def _is_address(line: str) -> bool:
    try:
        validate_email(line)
    except ValidationError:
        return False
    return True


def _recently_alerted(session: Session, at: datetime) -> bool:
    mails = Mail.objects.filter(session=session, kind=Mail.Kind.ALERT)
    return mails.filter(created_at__gt=at - PAUSE).exists()
