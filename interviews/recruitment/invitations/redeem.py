"""A link's secret is exchanged for the participant's cookie."""

from dataclasses import dataclass
from urllib.parse import urlencode
from uuid import UUID

from django.db import transaction
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from interviews.choices import ACTIVE, ENDED
from interviews.models import AccessKey, Invitation, Participant
from interviews.recruitment.invitations.keys import opened
from interviews.recruitment.invitations.states import is_over
from interviews.security import access
from interviews.validation import RequestRefused
from plans.models import Bot


@dataclass(frozen=True, slots=True)
class RedeemedLink:
    """Where to go, with which cookie; empty where the browser has one already."""

    to: str
    cookie: str


class InvitationClosed(RequestRefused):
    """The invitation's own secret was shown, and still it doesn't open: this may be told."""

    def __init__(self, code: str, message: str, invitation: Invitation) -> None:
        super().__init__(code, message)
        self.invitation = invitation


@transaction.atomic
def enter(invitation_id: UUID, secret: str, known: Participant | None = None) -> RedeemedLink:
    """Opens the invitation to a browser, which is `known` already as that participant, or not.

    Asking for the invitation's page does nothing of the kind. Raises access.AccessDenied where the
    secret isn't one of this invitation's, and Closed: invitation_over, invitation_used.
    """
    found = opened(invitation_id, secret)
    if found is None:
        raise access.AccessDenied
    invitation = _held(found)
    ended = _session(invitation, ENDED)
    if invitation.revoked_at or (ended is None and is_over(invitation, timezone.now())):
        raise InvitationClosed("invitation_over", _("This invitation is over."), invitation)
    person = _participant(invitation)
    cookie = "" if person == known else _cookie(invitation, person)
    Invitation.objects.filter(pk=invitation.pk, entered_at=None).update(entered_at=timezone.now())
    return RedeemedLink(ended or _session(invitation, ACTIVE) or _start(invitation), cookie)


def _held(found: Invitation) -> Invitation:
    """The row, held against whoever enters at the same moment."""
    return Invitation.objects.select_for_update(of=("self",)).select_related("bot").get(pk=found.pk)


def _participant(invitation: Invitation) -> Participant:
    """Whose sessions it opens; made anew where the last one went with a deleted interview."""
    if invitation.participant is None:
        invitation.participant = Participant.objects.create()
        invitation.save(update_fields=["participant"])
    return invitation.participant


def _cookie(invitation: Invitation, person: Participant) -> str:
    """For another browser. Where links must not be shared, there is but one that may begin."""
    if invitation.bot.invitation_reuse == Bot.Reuse.REFUSE:
        if invitation.sessions.exists():
            message = _("This invitation is in use in another browser.")
            raise InvitationClosed("invitation_used", message, invitation)
        AccessKey.objects.filter(participant=person).delete()
    return access.new_key(person)


def _session(invitation: Invitation, statuses: tuple[str, ...]) -> str | None:
    """The page of its latest interview that stands so."""
    sessions = invitation.sessions.filter(status__in=statuses).order_by("-started_at")
    session = sessions.values_list("pk", flat=True).first()
    return reverse("interviews:chat", args=[session]) if session else None


def _start(invitation: Invitation) -> str:
    """The bot's own page, in the language that the person was written to in."""
    page = reverse("interviews:start", args=[invitation.bot.slug])
    query = urlencode({"language": invitation.language}) if invitation.language else ""
    return f"{page}?{query}" if query else page
