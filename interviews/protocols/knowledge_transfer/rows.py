"""Facts become rows in the transaction that commits their turn."""

from collections.abc import Collection, Sequence
from uuid import UUID

from django.db.models import Max, OuterRef, Subquery

from interviews.models import Fact, Session, TranscriptEntry
from interviews.protocols.knowledge_transfer.facts import remove
from interviews.protocols.knowledge_transfer.protocol import PROTOCOL
from interviews.protocols.knowledge_transfer.state import FoundFact
from interviews.turns.store.records import register


def save_facts(session: Session, found: Sequence[FoundFact]) -> None:
    """Adds the facts of a turn, numbered on."""
    entry_at, last = _entries_and_last(session, {fact.position for fact in found})
    Fact.objects.bulk_create(
        Fact(
            session=session,
            entry_id=entry_at[fact.position],
            number=number,
            text=fact.text,
            original=fact.text,
            question=fact.question,
            confidence=fact.confidence,
            source=fact.source,
        )
        for number, fact in enumerate(found, start=last + 1)
    )


def _entries_and_last(session: Session, positions: set[int]) -> tuple[dict[int, int], int]:
    """Ids of the entries at these positions, and the number of the last fact, in one query."""
    before = Fact.objects.filter(session=OuterRef("session")).order_by().values("session")
    last = Subquery(before.annotate(last=Max("number")).values("last"))
    entries = TranscriptEntry.objects.filter(session=session, position__in=positions)
    rows = list(entries.values_list("position", "id", last))
    return {position: pk for position, pk, _ in rows}, max((n or 0 for *_, n in rows), default=0)


def remove_facts(sessions: Collection[UUID]) -> None:
    """Deletes the facts of these interviews."""
    remove(Fact.objects.filter(session__in=sessions))


register(PROTOCOL.name, save_facts, remove_facts)
