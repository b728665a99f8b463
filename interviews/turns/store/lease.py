import uuid
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from interviews.models import Session, Turn


@dataclass(frozen=True)
class ClaimedTurn:
    """A turn that this process runs, with its session as of the claim."""

    turn: Turn
    session: Session


def lease_end() -> datetime:
    return timezone.now() + timedelta(seconds=settings.TURN_LEASE)


def reclaim(session_id: uuid.UUID | None = None, at_once: bool = False) -> list[ClaimedTurn]:
    """Claim turns whose lease has expired, of one session or the 50 oldest of all.

    `at_once` ignores leases: for a single-process site that has just started.
    """
    turns = Turn.objects.filter(status=Turn.Status.RUNNING).select_related("session")
    if not at_once:
        turns = turns.filter(lease_until__lt=timezone.now())
    if session_id is not None:
        turns = turns.filter(session=session_id)
    return [c for turn in turns.order_by("lease_until")[:50] if (c := _claim(turn))]


def _claim(turn: Turn) -> ClaimedTurn | None:
    """Return None if somebody else has the turn or its row is locked, rather than wait."""
    owner, until = uuid.uuid4(), lease_end()
    unchanged = _own(turn).filter(lease_until=turn.lease_until)
    with transaction.atomic():
        if not unchanged.select_for_update(skip_locked=True, no_key=True).first():
            return None
        rows = unchanged.update(lease_owner=owner, lease_until=until, attempts=turn.attempts + 1)
    if not rows:
        return None
    turn.lease_owner, turn.lease_until, turn.attempts = owner, until, turn.attempts + 1
    return ClaimedTurn(turn, turn.session)


def renew(turn: Turn) -> bool:
    return bool(_own(turn).update(lease_until=lease_end()))


def release(turn: Turn) -> None:
    _own(turn).update(lease_until=timezone.now())


def _own(turn: Turn) -> QuerySet[Turn]:
    return Turn.objects.filter(pk=turn.pk, lease_owner=turn.lease_owner, status=Turn.Status.RUNNING)
