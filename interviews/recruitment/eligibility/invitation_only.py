from datetime import datetime

from django.utils.translation import gettext as _

from interviews.choices import ENDED
from interviews.models import Invitation, Participant, Session
from interviews.recruitment.invitations.states import is_over
from interviews.validation import RequestRefused
from plans.models import Bot


def check_invitation(bot: Bot, person: Participant | None, at: datetime) -> None:
    """Raise RequestRefused: by_invitation, invitation_over, invitation_used."""
    invitation = invitation_of(bot, person)
    if invitation is None:
        if bot.invited_only:
            message = _("This interview is by invitation only. Open the link you were sent.")
            raise RequestRefused("by_invitation", message)
        return
    if is_over(invitation, at):
        message = _("Your invitation is no longer valid, so you can’t start with it.")
        raise RequestRefused("invitation_over", message)
    if invitation.sessions.filter(status__in=ENDED).exists():
        message = _("You’ve already taken part in this interview. Thank you.")
        raise RequestRefused("invitation_used", message)


def invitation_of(bot: Bot, person: Participant | None) -> Invitation | None:
    return Invitation.objects.filter(bot=bot, participant=person).first() if person else None


def invitation_is_revoked(session: Session) -> bool:
    """Return whether no more answers are accepted. One that has expired cuts nobody off."""
    return Invitation.objects.filter(revoked_at__isnull=False, sessions=session).exists()


def invitation_over_error() -> RequestRefused:
    message = _("Your invitation is no longer valid. Your text stays here, but you can’t send it.")
    return RequestRefused("invitation_over", message)
