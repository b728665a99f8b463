"""Sends letters: claims them, hands them to the mail server and marks them as sent.

SMTP has no transactions. One process claims a letter and hands it over. If it dies after the
server has accepted and before the row is stored, another sends it again: delivery is at least once.
Both copies have the row's Message-ID, by which mail programs recognise duplicates.
"""

from dataclasses import replace
from functools import partial
from typing import Any
from uuid import UUID

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
NO_SERVER = "No mail server is configured (EMAIL_URL)."
MOST_ATTEMPTS = 12  # over seventeen hours, since a server may be down for a night


def blocked_reason() -> str:
    return "" if settings.EMAIL_URL else NO_SERVER


def send_again(mail: Mail) -> bool:
    retried = Mail.objects.filter(pk=mail.pk, status=Job.Status.FAILED).update(**ANEW)
    if retried:
        enqueue_on_commit(mail)
    return bool(retried)


def _send(mail: Mail) -> dict[str, Any]:
    """Send the letter; return its address and Message-ID, to look up in the mail server's log.

    Raises Cancelled if it should no longer be sent, and JobFailed and PermanentFailure as `send`.
    """
    send(mail, letter_of(mail))
    return {"to": mail.to, "content": {"message_id": message_id(mail)}}


def _stamp_on_commit(mail: Mail) -> None:
    """Set when the invitation was sent or reminded, once the row is stored.

    Whoever changes an invitation locks it before its letters, hence not in this transaction.
    """
    if mail.invitation_id is not None:
        stamp = partial(_stamp_invitation, mail.invitation_id, mail.kind)
        transaction.on_commit(stamp, robust=True)


def _stamp_invitation(invitation_id: UUID, kind: str) -> None:
    row, now = Invitation.objects.filter(pk=invitation_id), timezone.now()
    if kind == Mail.Kind.INVITATION:
        row.filter(sent_at=None).update(sent_at=now)
    else:
        row.update(reminded_at=now)


# A queue of their own, so that alerts never wait behind thousands of invitations.
ALERTS = Q(kind=Mail.Kind.ALERT)
_letters = JobType(
    Mail,
    _send,
    celery_task(SEND_LETTER),
    blocked_reason,
    after=_stamp_on_commit,
    most_attempts=MOST_ATTEMPTS,
    subset=~ALERTS,
)
_alerts = replace(_letters, queue=celery_task(SEND_ALERT), subset=ALERTS, thread_name="alerts")
make = _letters.run
make_alert = _alerts.run


def enqueue_on_commit(mail: Mail) -> None:
    (_alerts if mail.kind == Mail.Kind.ALERT else _letters).enqueue_on_commit(mail.pk)


def sweep(at_once: bool = False) -> int:
    return _alerts.sweep(at_once) + _letters.sweep(at_once)
