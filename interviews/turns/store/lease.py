import uuid
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from interviews.models import Paradata, Session, Turn


@dataclass(frozen=True)
class ClaimedTurn:
    """A turn that this process runs, with its session as of the claim.

    Whoever takes over a turn doesn't know the paradata: its answer is rated without them.
    """

    turn: Turn
    session: Session
    paradata: Paradata | None = None
    begun_before: bool = False  # an opening of the same start form, which was sent twice


def lease_end() -> datetime:
    return timezone.now() + timedelta(seconds=settings.TURN_LEASE)


def reclaim(
    session_id: uuid.UUID | None = None, at_once: bool = False, running: Collection[int] = ()
) -> list[ClaimedTurn]:
    """Claim turns whose lease has expired, of one session or the 50 oldest of all.

    `at_once` ignores leases: for a single-process site that has just started. `running` are turns
    that this process runs: on a busy machine their leases may be late.
    """
    turns = Turn.objects.filter(status=Turn.Status.RUNNING).exclude(pk__in=running)
    turns = turns.select_related("session")
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


def leased_until(session_id: uuid.UUID) -> datetime | None:
    """Return until when the session's open turn is leased; None if no turn is open."""
    turns = Turn.objects.filter(session=session_id, status=Turn.Status.RUNNING)
    return turns.order_by("pk").values_list("lease_until", flat=True).first()


def renew(held: Mapping[uuid.UUID, int]) -> set[uuid.UUID]:
    """Renew leases, given as owner and turn; return the owners of those that are lost.

    A turn whose row is locked keeps the lease that it has.
    """
    mine = Turn.objects.order_by().filter(pk__in=held.values(), lease_owner__in=held)
    running = mine.filter(status=Turn.Status.RUNNING)
    with transaction.atomic():
        free = running.select_for_update(skip_locked=True, no_key=True).values("pk")
        renewed = Turn.objects.filter(pk__in=free).update(lease_until=lease_end())
    if renewed == len(held):
        return set()
    return held.keys() - set(mine.values_list("lease_owner", flat=True))


def release(turn: Turn) -> None:
    _own(turn).update(lease_until=timezone.now())


def _own(turn: Turn) -> QuerySet[Turn]:
    return Turn.objects.filter(pk=turn.pk, lease_owner=turn.lease_owner, status=Turn.Status.RUNNING)
