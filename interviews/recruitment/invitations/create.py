"""Creates invitations, each with the participant whose interview it opens."""

from collections.abc import Iterable
from datetime import datetime

from django.db import transaction

from interviews.models import Invitation, Participant
from interviews.recruitment.invitations.letters import REMINDERS
from interviews.recruitment.invitations.people_file import Invitee
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
