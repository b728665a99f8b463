"""Sending letters: claimed, handed to the mail server, and said to be sent.

SMTP knows no transaction. A letter is claimed by one process at a time and handed over once, but a
process that dies between the server's yes and its own row is followed by one that sends again: at
least once, then. Both copies carry the same Message-ID, one for each row, by which servers and
programs for mail know them as one letter.
"""

from dataclasses import replace
from functools import partial
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from interviews.models import Invitation, Mail
from interviews.recruitment.mail.letters import letter_of
from interviews.recruitment.mail.smtp import message_id, send
from plans.jobs import ANEW, Job, JobType, celery_task

SEND_LETTER = "interviews.tasks.send_letter"
SEND_ALERT = "interviews.tasks.send_alert"
NO_SERVER = "No mail server is set (EMAIL_URL)."
MOST_ATTEMPTS = 12  # the last one seventeen hours after the first: servers are down for a night


def blocked_reason() -> str:
    """Why no letter can be sent now; empty when they can."""
    return "" if settings.EMAIL_URL else NO_SERVER


def send_again(mail: Mail) -> bool:
    """Tries one that failed once more; whether it had failed."""
    again = Mail.objects.filter(pk=mail.pk, status=Job.Status.FAILED).update(**ANEW)
    if again:
        transaction.on_commit(partial(enqueue, mail))
    return bool(again)


def _made(mail: Mail) -> dict[str, Any]:
    """Sends it. What is kept of it is its Message-ID, to be found in the mail server's log.

    Raises Cancelled when the letter shouldn't go out any more, JobFailed and PermanentFailure as
    `send` does.
    """
    send(mail, letter_of(mail))
    return {"content": {"message_id": message_id(mail)}}


def _after(mail: Mail) -> None:
    """The invitation says when it was sent.

    When the row is stored, since whoever changes an invitation holds it before its letters.
    """
    if mail.invitation_id is not None:
        transaction.on_commit(
            partial(_stamp, mail.invitation_id, Mail.Kind(mail.kind)), robust=True
        )


def _stamp(invitation: Any, kind: Mail.Kind) -> None:
    row, now = Invitation.objects.filter(pk=invitation), timezone.now()
    if kind == Mail.Kind.INVITATION:
        row.filter(sent_at=None).update(sent_at=now)
    else:
        row.update(reminded_at=now)


# When thousands of invitations are on their way, an alert is not behind them.
ALERTS = Q(kind=Mail.Kind.ALERT)
_letters = JobType(
    Mail,
    _made,
    celery_task(SEND_LETTER),
    blocked_reason,
    after=_after,
    most_attempts=MOST_ATTEMPTS,
    subset=~ALERTS,
)
_alerts = replace(_letters, queue=celery_task(SEND_ALERT), subset=ALERTS, thread_name="alerts")
make = _letters.run
make_alert = _alerts.run


def enqueue(mail: Mail) -> None:
    """To whoever sends letters of its kind."""
    (_alerts if mail.kind == Mail.Kind.ALERT else _letters).enqueue(mail.pk)


def sweep(at_once: bool = False) -> int:
    """Hands out what was never handed out or whose sender died; how many."""
    return _alerts.sweep(at_once) + _letters.sweep(at_once)
