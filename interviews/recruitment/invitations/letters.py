"""Who may be written to, and the letters that are wished for."""

from datetime import datetime

from django.db import transaction
from django.utils import timezone

from interviews.models import Invitation, Mail, Participant
from interviews.recruitment import mail
from interviews.recruitment.invitations.states import InvitationState, state_of, with_state
from plans.bots.quota import quota
from plans.models import Bot

REMINDERS = 2  # that go out by themselves; who has so many is reminded by hand alone
NEVER_AGAIN = 1_000  # reminders of somebody who doesn't want to take part: none is left
STATES = {
    InvitationState.FINISHED: "the interview is finished",
    InvitationState.EXPIRED: "the invitation has expired",
    InvitationState.REVOKED: "the invitation was revoked",
}


def unwanted(invitation: Invitation, at: datetime) -> str:
    """Why no letter goes to that person now; empty if it may. Needs the invitation's state."""
    if state := STATES.get(state_of(invitation)):
        return state
    if not invitation.email:
        return "there is no address"
    if invitation.reminders >= NEVER_AGAIN and state_of(invitation) != InvitationState.BEGUN:
        return "they don’t want to take part"
    if not invitation.bot.is_open(at):
        return "the interview isn’t open"
    if state_of(invitation) != InvitationState.BEGUN and quota(invitation.bot).full:
        return "all places are taken"
    return ""


def unsendable(invitation: Invitation, kind: Mail.Kind, at: datetime) -> str:
    """The same for a new letter of that kind: nobody gets the first one twice."""
    if kind == Mail.Kind.INVITATION and invitation.sent_at:
        return "the letter was sent before: send a reminder"
    return unwanted(invitation, at)


@transaction.atomic
def write(invitation: Invitation, kind: Mail.Kind) -> bool:
    """Wishes for a letter if it should go out; whether it is on its way.

    The row is held against whoever does so at the same moment.
    """
    row = as_it_stands(invitation, hold=True)
    if row is None or unsendable(row, kind, timezone.now()):
        return False
    number = _reminded(row) if kind == Mail.Kind.REMINDER else 0
    return mail.request(kind, to=row.email, invitation=row, number=number)


def as_it_stands(invitation: Invitation, hold: bool = False) -> Invitation | None:
    """With its bot and its state; None if it is gone."""
    rows = with_state(Invitation.objects.filter(pk=invitation.pk), timezone.now())
    rows = rows.select_related("bot")
    return (rows.select_for_update(of=("self",)) if hold else rows).first()


def _reminded(row: Invitation) -> int:
    """The number of one more reminder."""
    row.reminders += 1
    row.save(update_fields=["reminders"])
    return row.reminders


def no_more(bot: Bot, person: Participant | None) -> None:
    """They have said that they don't want to take part: nobody writes to them again."""
    Invitation.objects.filter(bot=bot, participant=person, participant__isnull=False).update(
        reminders=NEVER_AGAIN
    )
