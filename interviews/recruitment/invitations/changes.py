"""What people of the study do to invitations that are there."""

from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from interviews.models import Invitation, Mail
from plans.jobs import Job


@transaction.atomic
def revoke(invitations: QuerySet[Invitation]) -> int:
    """All their links stop working, and letters on their way are not sent; how many.

    Answers are refused from now on. It can't be undone.
    """
    keys = list(invitations.filter(revoked_at=None).values_list("pk", flat=True))
    unsent = Mail.objects.filter(invitation__in=keys).exclude(status=Job.Status.READY)
    count = Invitation.objects.filter(pk__in=keys).update(revoked_at=timezone.now())
    unsent.delete()
    return count


def extend(invitations: QuerySet[Invitation], until: datetime | None) -> int:
    """They hold until then, or for good; how many. Those that were revoked stay so."""
    return invitations.filter(revoked_at=None).update(expires_at=until)
