from collections.abc import Iterable
from datetime import datetime

from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db import transaction
from django.db.models import F, QuerySet
from django.utils import timezone

from interviews.choices import ACTIVE, SessionStatus
from interviews.models import (
    Erasure,
    Invitation,
    InvitationKey,
    Mail,
    OverviewDay,
    Participant,
    Session,
)
from interviews.models.updates import mark_changed
from interviews.recruitment.invitations.letters import REMINDERS
from interviews.recruitment.invitations.people_file import Invitee
from plans.jobs import Job
from plans.models import Bot

BATCH = 500


@transaction.atomic
def invite(
    bot: Bot,
    people: Iterable[Invitee],
    *,
    expires: datetime | None = None,
    language: str = "",
    remind: bool = True,
) -> list[Invitation]:
    """Store an invitation for each person, without sending anything.

    `expires` and `language` apply to people without their own; without `remind` no automatic
    reminders are sent. Raises IntegrityError if somebody else has just used a reference.
    """
    rows = [_invitation(bot, person, expires, language, remind) for person in people]
    participants = [row.participant for row in rows if row.participant]
    Participant.objects.bulk_create(participants, batch_size=BATCH)
    return Invitation.objects.bulk_create(rows, batch_size=BATCH)


def _invitation(
    bot: Bot, person: Invitee, expires: datetime | None, language: str, remind: bool
) -> Invitation:
    return Invitation(
        bot=bot,
        participant=Participant(),  # unnamed: people say themselves what to call them
        name=person.name,
        email=person.email,
        language=person.language or language,
        reference=person.reference,
        params=dict(person.params),
        expires_at=person.expires or expires,
        reminders=0 if remind else REMINDERS,
    )


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


def erase_contacts(invitations: QuerySet[Invitation]) -> None:
    """Erase names and addresses, with the letters to them; links keep working."""
    keys = list(invitations.values_list("pk", flat=True))
    mark_changed(invitation__in=keys)
    Invitation.objects.filter(pk__in=keys).update(name="", email="")
    Mail.objects.filter(invitation__in=keys).delete()
    Erasure.record()


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
    active = Session.objects.filter(invitation__in=keys, status__in=ACTIVE)
    OverviewDay.forget(active)
    mark_changed(invitation__in=keys)
    archived = {"status": SessionStatus.ARCHIVED, "ended_at": timezone.now()}
    active.update(sequence=F("sequence") + 1, **archived)
    Invitation.objects.filter(pk__in=keys).delete()
    Erasure.record()
