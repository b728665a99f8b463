"""What goes when somebody withdraws, or when an invitation is deleted."""

from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db import transaction
from django.db.models import F, QuerySet
from django.utils import timezone

from interviews.choices import ACTIVE, SessionStatus
from interviews.models import Invitation, InvitationKey, Mail, Session


def forget(session: Session) -> None:
    """Who the invitation was for, and every way back in. In the transaction that withdraws."""
    if session.invitation_id is None:
        return
    Invitation.objects.filter(pk=session.invitation_id).update(
        name="", email="", reference="", params={}, participant=None, revoked_at=timezone.now()
    )
    InvitationKey.objects.filter(invitation=session.invitation_id).delete()
    Mail.objects.filter(invitation=session.invitation_id).delete()
    _unname(session.invitation_id)


def _unname(key: object) -> None:
    """The admin's record of who did what names rows by their reference."""
    about = ContentType.objects.get_for_model(Invitation)
    LogEntry.objects.filter(content_type=about, object_id=str(key)).update(
        object_repr="Invitation of somebody who has withdrawn"
    )


@transaction.atomic
def delete(invitations: QuerySet[Invitation]) -> None:
    """Deletes them; interviews stay. Those under way are put aside: no invitation holds any more
    by which they could go on."""
    keys = list(invitations.values_list("pk", flat=True))
    Session.objects.filter(invitation__in=keys, status__in=ACTIVE).update(
        status=SessionStatus.ARCHIVED, ended_at=timezone.now(), sequence=F("sequence") + 1
    )
    Invitation.objects.filter(pk__in=keys).delete()
