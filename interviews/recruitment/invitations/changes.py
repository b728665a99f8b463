from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from interviews.models import Invitation, Mail
from plans.jobs import Job


@transaction.atomic
def revoke(invitations: QuerySet[Invitation]) -> int:
    """Revoke invitations for good and return how many.

    Their links stop working, letters not sent yet are dropped, and further answers are refused.
    """
    keys = list(invitations.filter(revoked_at=None).values_list("pk", flat=True))
    unsent = Mail.objects.filter(invitation__in=keys).exclude(status=Job.Status.READY)
    count = Invitation.objects.filter(pk__in=keys).update(revoked_at=timezone.now())
    unsent.delete()
    return count


def extend(invitations: QuerySet[Invitation], until: datetime | None) -> int:
    """Set when invitations expire (None: never) and return how many; skips revoked ones."""
    return invitations.filter(revoked_at=None).update(expires_at=until)
