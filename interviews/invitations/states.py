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

from interviews.models import Invitation, Session
from interviews.words import ACTIVE, ENDED


class State(TextChoices):
    """What is said of an invitation, the last thing that holds."""

    NOT_SENT = "not_sent", "Not sent"
    SENT = "sent", "Sent"
    OPENED = "opened", "Opened"
    BEGUN = "begun", "Begun"
    FINISHED = "finished", "Finished"
    EXPIRED = "expired", "Expired"
    REVOKED = "revoked", "Revoked"


def over_by(at: datetime) -> Q:
    """Those by which nothing can be begun or answered any more."""
    return Q(revoked_at__isnull=False) | Q(expires_at__lte=at)


def is_over(invitation: Invitation, at: datetime) -> bool:
    """The same of one."""
    expires = invitation.expires_at
    return invitation.revoked_at is not None or (expires is not None and expires <= at)


def finished() -> Exists:
    """Those whose interview has ended."""
    return Exists(Session.objects.filter(invitation=OuterRef("pk"), status__in=ENDED))


def begun() -> Exists:
    """Those whose interview is under way."""
    return Exists(Session.objects.filter(invitation=OuterRef("pk"), status__in=ACTIVE))


def with_state(invitations: QuerySet[Invitation], at: datetime) -> QuerySet[Invitation]:
    """Each with its `state`."""
    return invitations.annotate(
        state=Case(
            When(finished(), then=Value(State.FINISHED)),
            When(revoked_at__isnull=False, then=Value(State.REVOKED)),
            When(over_by(at), then=Value(State.EXPIRED)),
            When(begun(), then=Value(State.BEGUN)),
            When(entered_at__isnull=False, then=Value(State.OPENED)),
            When(sent_at__isnull=False, then=Value(State.SENT)),
            default=Value(State.NOT_SENT),
            output_field=CharField(),
        )
    )


def state_of(invitation: Invitation) -> State:
    """What `with_state` found."""
    return State(getattr(invitation, "state", State.NOT_SENT))
