"""Who may be written to, and requests for letters."""

from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

from interviews.models import Invitation, Mail, Participant
from interviews.recruitment import mail
from interviews.recruitment.invitations.states import InvitationState, state_of, with_state
from plans.bots.quota import quota
from plans.jobs import UNDER_WAY
from plans.models import Bot

JUST = timedelta(hours=1)  # within which nobody is reminded twice
REMINDERS = 2  # sent automatically; further ones only by hand
NEVER_AGAIN = 1_000  # reminders, as set for people who don't want to take part
BLOCKED_STATES = {
    InvitationState.FINISHED: "the interview is finished",
    InvitationState.EXPIRED: "the invitation has expired",
    InvitationState.REVOKED: "the invitation was revoked",
}


def blocked_reason(invitation: Invitation, at: datetime) -> str:
    """Return why the person gets no letter now, or "" if they may get one.

    Needs an invitation loaded `with_state`.
    """
    if state := BLOCKED_STATES.get(state_of(invitation)):
        return state
    if not invitation.email:
        return "there is no e-mail address"
    if invitation.reminders >= NEVER_AGAIN and state_of(invitation) != InvitationState.BEGUN:
        return "they declined"
    if not invitation.bot.is_open(at):
        return "the interview isn’t open"
    if state_of(invitation) != InvitationState.BEGUN and quota(invitation.bot).full:
        return "all places are taken"
    return ""


def new_letter_blocked_reason(invitation: Invitation, kind: Mail.Kind, at: datetime) -> str:
    if kind == Mail.Kind.INVITATION and invitation.sent_at:
        return "the e-mail has already been sent; send a reminder"
    return blocked_reason(invitation, at)


@transaction.atomic
def request_letter(invitation: Invitation, kind: Mail.Kind) -> bool:
    """Request a letter unless it is blocked; return whether it is on its way.

    Locks the row against concurrent requests. Two people may ask for the same reminder, or one
    twice: it is sent once.
    """
    row = reload(invitation, lock=True)
    if row is None or new_letter_blocked_reason(row, kind, timezone.now()):
        return False
    number = 0
    if kind == Mail.Kind.REMINDER:
        if _is_just_reminded(row):
            return False
        row.reminders = number = row.reminders + 1
        row.save(update_fields=["reminders"])
    return mail.request(kind, to=row.email, invitation=row, number=number)


def _is_just_reminded(invitation: Invitation) -> bool:
    reminded_at = invitation.reminded_at
    if reminded_at is not None and reminded_at > timezone.now() - JUST:
        return True
    waiting = Mail.objects.filter(invitation=invitation, kind=Mail.Kind.REMINDER)
    return waiting.filter(status__in=UNDER_WAY).exists()


def reload(invitation: Invitation, lock: bool = False) -> Invitation | None:
    rows = Invitation.objects.filter(pk=invitation.pk).select_related("bot")
    rows = with_state(rows, timezone.now())
    return (rows.select_for_update(of=("self",)) if lock else rows).first()


def stop_letters(bot: Bot, person: Participant | None) -> None:
    Invitation.objects.filter(bot=bot, participant=person, participant__isnull=False).update(
        reminders=NEVER_AGAIN
    )
