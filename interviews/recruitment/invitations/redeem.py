"""The secrets of invitation links, and their exchange for the participant's cookie.

Secrets have 128 bits and are stored only as hashes. Every letter, list and QR code gets its own;
earlier ones keep working.
"""

import secrets
from collections.abc import Iterable
from urllib.parse import urlencode
from uuid import UUID

from django.db import transaction
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from interviews.choices import ACTIVE, ENDED
from interviews.models import AccessKey, Invitation, InvitationKey, Participant
from interviews.recruitment.invitations.states import is_over
from interviews.security import access
from interviews.security.links import url_of
from interviews.validation import RequestRefused
from plans.models import Bot

BATCH = 500


def new_path(invitation: Invitation) -> str:
    return new_paths([invitation])[0]


def new_paths(invitations: Iterable[Invitation]) -> list[str]:
    pairs = [(one, secrets.token_urlsafe(access.SECRET_BYTES)) for one in invitations]
    rows = [InvitationKey(invitation=one, digest=access.digest(secret)) for one, secret in pairs]
    InvitationKey.objects.bulk_create(rows, batch_size=BATCH)
    return [url_of(reverse("interviews:join", args=[one.pk]), secret) for one, secret in pairs]


class InvitationClosed(RequestRefused):
    """The secret is right but the invitation is closed; its holder may be told why."""

    def __init__(self, code: str, message: str, invitation: Invitation) -> None:
        super().__init__(code, message)
        self.invitation = invitation


@transaction.atomic
def enter(
    invitation_id: UUID, secret: str, known: Participant | None = None, swap: bool = False
) -> tuple[str, str]:
    """Open the invitation to a browser; `known` is the participant of its cookie.

    `swap`: the cookie may be replaced though an interview is open. Return where to go, and the
    cookie to set; empty if the browser has it already. Raises AccessDenied if the secret isn't one
    of this invitation's, InvitationClosed (invitation_over, invitation_used), OtherInterviewOpen.
    """
    invitations = Invitation.objects.select_related("bot").select_for_update(of=("self",))
    invitation = invitations.filter(pk=invitation_id, keys__digest=access.digest(secret)).first()
    if invitation is None:
        raise access.AccessDenied
    begun = _chat_url(invitation, ENDED) or _chat_url(invitation, ACTIVE)
    if invitation.revoked_at or (begun is None and is_over(invitation, timezone.now())):
        message = _("This invitation is no longer valid.")
        raise InvitationClosed("invitation_over", message, invitation)
    participant = _participant(invitation)
    cookie = ""
    if participant != known:
        _refuse_second_browser(invitation)
        access.refuse_swap(None if swap else known, participant)
        cookie = _new_cookie(invitation, participant)
    Invitation.objects.filter(pk=invitation.pk, entered_at=None).update(entered_at=timezone.now())
    return begun or _start_url(invitation), cookie


def _participant(invitation: Invitation) -> Participant:
    if invitation.participant is None:
        invitation.participant = Participant.objects.create()
        invitation.save(update_fields=["participant"])
    return invitation.participant


def _refuse_second_browser(invitation: Invitation) -> None:
    if invitation.bot.invitation_reuse == Bot.Reuse.REFUSE and invitation.sessions.exists():
        message = _("This invitation is open in another browser.")
        raise InvitationClosed("invitation_used", message, invitation)


def _new_cookie(invitation: Invitation, participant: Participant) -> str:
    if invitation.bot.invitation_reuse == Bot.Reuse.REFUSE:
        AccessKey.objects.filter(participant=participant).delete()
    return access.new_key(participant)


def _chat_url(invitation: Invitation, statuses: tuple[str, ...]) -> str | None:
    sessions = invitation.sessions.filter(status__in=statuses).order_by("-started_at")
    session_id = sessions.values_list("pk", flat=True).first()
    return reverse("interviews:chat", args=[session_id]) if session_id else None


def _start_url(invitation: Invitation) -> str:
    page = reverse("interviews:start", args=[invitation.bot.slug])
    query = urlencode({"language": invitation.language}) if invitation.language else ""
    return f"{page}?{query}" if query else page
