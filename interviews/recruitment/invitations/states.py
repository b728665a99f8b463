"""How far an invitation has come."""

from datetime import datetime

from django.db.models import (
    Case,
    CharField,
    Exists,
    OuterRef,
    Q,
    QuerySet,
    TextChoices,
    Value,
    When,
)

from interviews.choices import ACTIVE, ENDED, SessionStatus
from interviews.models import Invitation, Session


class InvitationState(TextChoices):
    """The latest state that applies; the order of precedence is in `with_state`."""

    NOT_SENT = "not_sent", "Not sent"
    SENT = "sent", "Sent"
    OPENED = "opened", "Opened"
    BEGUN = "begun", "Started"
    FINISHED = "finished", "Finished"
    EXPIRED = "expired", "Expired"
    REVOKED = "revoked", "Revoked"


def over_at(at: datetime) -> Q:
    return Q(revoked_at__isnull=False) | Q(expires_at__lte=at)


def is_over(invitation: Invitation, at: datetime) -> bool:
    expires = invitation.expires_at
    return invitation.revoked_at is not None or (expires is not None and expires <= at)


def has_session(statuses: tuple[SessionStatus, ...]) -> Exists:
    return Exists(Session.objects.filter(invitation=OuterRef("pk"), status__in=statuses))


def with_state(invitations: QuerySet[Invitation], at: datetime) -> QuerySet[Invitation]:
    return invitations.annotate(
        state=Case(
            When(has_session(ENDED), then=Value(InvitationState.FINISHED)),
            When(revoked_at__isnull=False, then=Value(InvitationState.REVOKED)),
            When(has_session(ACTIVE), then=Value(InvitationState.BEGUN)),
            When(over_at(at), then=Value(InvitationState.EXPIRED)),
            When(entered_at__isnull=False, then=Value(InvitationState.OPENED)),
            When(sent_at__isnull=False, then=Value(InvitationState.SENT)),
            default=Value(InvitationState.NOT_SENT),
            output_field=CharField(),
        )
    )


def state_of(invitation: Invitation) -> InvitationState:
    return InvitationState(getattr(invitation, "state", InvitationState.NOT_SENT))
