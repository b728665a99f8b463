"""Erases invitations when somebody withdraws, and deletes them on request."""

from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db import transaction
from django.db.models import F, QuerySet
from django.utils import timezone

from interviews.choices import ACTIVE, SessionStatus
from interviews.models import Invitation, InvitationKey, Mail, Session


def erase_invitation(session: Session) -> None:
    """Erase who the session's invitation was for, and every way back in.

    Call it in the transaction that withdraws the session.
    """
    if session.invitation_id is None:
        return
    Invitation.objects.filter(pk=session.invitation_id).update(
        name="", email="", reference="", params={}, participant=None, revoked_at=timezone.now()
    )
    InvitationKey.objects.filter(invitation=session.invitation_id).delete()
    Mail.objects.filter(invitation=session.invitation_id).delete()
    # The admin's log names invitations by their reference.
    content_type = ContentType.objects.get_for_model(Invitation)
    entries = LogEntry.objects.filter(
        content_type=content_type, object_id=str(session.invitation_id)
    )
    entries.update(object_repr="Invitation of somebody who has withdrawn")


@transaction.atomic
def delete(invitations: QuerySet[Invitation]) -> None:
    """Delete invitations and keep their interviews.

    Active interviews are archived, since without an invitation they can't be continued.
    """
    keys = list(invitations.values_list("pk", flat=True))
    Session.objects.filter(invitation__in=keys, status__in=ACTIVE).update(
        status=SessionStatus.ARCHIVED, ended_at=timezone.now(), sequence=F("sequence") + 1
    )
    Invitation.objects.filter(pk__in=keys).delete()
