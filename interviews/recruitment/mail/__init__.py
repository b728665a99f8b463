"""Letters: requested as rows, written and sent in the background."""

from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import Q

from interviews.models import ExportFile, Invitation, Mail, Session
from interviews.recruitment.mail.jobs import enqueue_on_commit
from plans.jobs import ANEW, UNDER_WAY, Job


@transaction.atomic
def request(
    kind: Mail.Kind,
    *,
    to: str,
    session: Session | None = None,
    invitation: Invitation | None = None,
    export: ExportFile | None = None,
    number: int = 0,
) -> bool:
    """Request a letter about one of these three; return whether it is on its way.

    The row is stored with the caller's transaction and enqueued on commit. Requesting the same
    letter twice makes one, which is retried if it had failed. A letter of an invitation that isn't
    sent yet goes to the latest address.
    """
    about: dict[str, Any] = {"kind": kind, "session": session, "export": export, "number": number}
    if invitation is None:
        mail, new = Mail.objects.get_or_create(**about, invitation=None, to=to)
    else:
        mail, new = Mail.objects.get_or_create(**about, invitation=invitation, defaults={"to": to})
    # One that failed, or still waits to go to another address, goes to this one.
    stuck = Q(status=Job.Status.FAILED) | Q(status=Job.Status.PENDING) & ~Q(to=to)
    if new or Mail.objects.filter(stuck, pk=mail.pk).update(to=to, **ANEW):
        enqueue_on_commit(mail)
        return True
    return Mail.objects.filter(pk=mail.pk, status__in=UNDER_WAY).exists()
