"""Letters: wished for in a row, written and sent in the background.

request    a letter, in the transaction that brings the need for it
work       how one is sent: claimed, handed to the mail server, said to be sent
sending    one message over SMTP, and what a refusal means
letters    what each kind says, written when it is sent and kept nowhere
"""

from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import Q

from interviews.models import Invitation, Mail, Session
from interviews.recruitment.mail.jobs import enqueue
from plans.jobs import ANEW, UNDER_WAY, Job


@transaction.atomic
def request(
    kind: Mail.Kind,
    *,
    to: str,
    session: Session | None = None,
    invitation: Invitation | None = None,
    number: int = 0,
) -> bool:
    """One letter to that address, about a session or an invitation; whether it is on its way.

    The row is written with the caller's transaction and handed out when that is committed. Wishing
    twice for the same letter makes one, which is tried once more if it had failed. An invitation's
    that was not sent yet goes to the address that was named last.
    """
    about: dict[str, Any] = {"kind": kind, "session": session, "number": number}
    if invitation is None:
        mail, new = Mail.objects.get_or_create(**about, invitation=None, to=to)
    else:
        mail, new = Mail.objects.get_or_create(**about, invitation=invitation, defaults={"to": to})
    if new or _revived(mail, to):
        transaction.on_commit(partial(enqueue, mail))
        return True
    return Mail.objects.filter(pk=mail.pk, status__in=UNDER_WAY).exists()


def _revived(mail: Mail, to: str) -> bool:
    """Whether it had failed or waited to go to another address, and now goes to this one."""
    stuck = Q(status=Job.Status.FAILED) | Q(status=Job.Status.PENDING) & ~Q(to=to)
    return bool(Mail.objects.filter(stuck, pk=mail.pk).update(to=to, **ANEW))
