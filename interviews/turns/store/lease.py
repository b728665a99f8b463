"""Who runs a turn: a lease, taken and kept by conditional updates."""

import uuid
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from interviews.models import Session, Turn


@dataclass(frozen=True)
class ClaimedTurn:
    """A turn that this process runs, with its session as of the claim."""

    turn: Turn
    session: Session


def lease_end() -> datetime:
    """Until when a turn claimed now belongs to who claimed it."""
    return timezone.now() + timedelta(seconds=settings.TURN_LEASE)


def reclaim(session_id: uuid.UUID | None = None, at_once: bool = False) -> list[ClaimedTurn]:
    """Claims turns whose lease has run out (of one session, or the oldest of all).

    `at_once` takes those with a living lease too: for a site of one process that has just begun.
    """
    turns = Turn.objects.filter(status=Turn.Status.RUNNING).select_related("session")
    if not at_once:
        turns = turns.filter(lease_until__lt=timezone.now())
    if session_id is not None:
        turns = turns.filter(session=session_id)
    return [c for turn in turns.order_by("lease_until")[:50] if (c := _claim(turn))]


def _claim(turn: Turn) -> ClaimedTurn | None:
    """None for one that somebody else has, or is at: whoever waited for it would hold up others."""
    owner, until = uuid.uuid4(), lease_end()
    as_found = Turn.objects.filter(
        pk=turn.pk,
        status=Turn.Status.RUNNING,
        lease_owner=turn.lease_owner,
        lease_until=turn.lease_until,
    )
    with transaction.atomic():
        if not as_found.select_for_update(skip_locked=True, no_key=True).first():
            return None
        rows = as_found.update(lease_owner=owner, lease_until=until, attempts=turn.attempts + 1)
    if not rows:
        return None
    turn.lease_owner, turn.lease_until, turn.attempts = owner, until, turn.attempts + 1
    return ClaimedTurn(turn, turn.session)


def renew(turn: Turn) -> bool:
    """Keeps the lease for another while; False when it is lost."""
    mine = Turn.objects.filter(pk=turn.pk, lease_owner=turn.lease_owner, status=Turn.Status.RUNNING)
    return bool(mine.update(lease_until=lease_end()))


def release(turn: Turn) -> None:
    """Gives a turn back, to be run again by whoever finds it."""
    Turn.objects.filter(
        pk=turn.pk, lease_owner=turn.lease_owner, status=Turn.Status.RUNNING
    ).update(lease_until=timezone.now())
