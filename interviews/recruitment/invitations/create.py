"""The rows: an invitation for each person, with the participant whose interview it opens."""

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
    """Stores an invitation for each. Nothing is sent.

    `expires` and `language` hold for those who have none of their own; without `remind` nobody is
    reminded by itself. Raises IntegrityError where a reference has just been used by somebody else.
    """
    made = [_invitation(bot, person, expires, language, remind) for person in people]
    Participant.objects.bulk_create([_participant(one) for one in made], batch_size=BATCH)
    return Invitation.objects.bulk_create(made, batch_size=BATCH)


def _invitation(
    bot: Bot, person: Invitee, expires: datetime | None, language: str, remind: bool
) -> Invitation:
    return Invitation(
        bot=bot,
        # Its name is what they wish to be called, which they say themselves.
        participant=Participant(),
        name=person.name,
        email=person.email,
        language=person.language or language,
        reference=person.reference,
        params=dict(person.params),
        expires_at=person.expires or expires,
        reminders=0 if remind else REMINDERS,
    )


def _participant(invitation: Invitation) -> Participant:
    if invitation.participant is None:
        raise ValueError("an invitation has a participant")
    return invitation.participant
