"""Who was asked by name, and whether that still holds."""

from datetime import datetime

from django.utils import timezone
from django.utils.translation import gettext as _

from interviews.choices import ENDED
from interviews.models import Invitation, Participant, Session
from interviews.recruitment.invitations.states import is_over, over_by
from interviews.validation import RequestRefused
from plans.models import Bot


def invited(bot: Bot, person: Participant | None, at: datetime) -> None:
    """Raises RequestRefused: by_invitation, invitation_over, invitation_used."""
    invitation = invitation_of(bot, person)
    if invitation is None:
        _refuse_if_by_invitation(bot)
        return
    if is_over(invitation, at):
        raise RequestRefused(
            "invitation_over", _("Your invitation is over. No interview can begin by it.")
        )
    if invitation.sessions.filter(status__in=ENDED).exists():
        raise RequestRefused(
            "invitation_used", _("You have given this interview already. Thank you.")
        )


def invitation_of(bot: Bot, person: Participant | None) -> Invitation | None:
    """The person's invitation to that bot."""
    return Invitation.objects.filter(bot=bot, participant=person).first() if person else None


def has_run_out(session: Session) -> bool:
    """Whether nothing can be answered any more, by the invitation that the session came by."""
    return Invitation.objects.filter(over_by(timezone.now()), sessions=session).exists()


def over() -> RequestRefused:
    """What is said to an answer when the invitation has expired or was revoked."""
    return RequestRefused(
        "invitation_over",
        _("Your invitation is over, so nothing more can be sent. Your words are kept here."),
    )


def _refuse_if_by_invitation(bot: Bot) -> None:
    if bot.invited_only:
        message = _("This interview is by personal invitation. Please open the link you were sent.")
        raise RequestRefused("by_invitation", message)
