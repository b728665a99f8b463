from collections.abc import Collection, Sequence
from uuid import UUID

from django.db.models import Max, OuterRef, Subquery

from interviews.models import Fact, Session, TranscriptEntry
from interviews.protocols.knowledge_transfer.fact_changes import remove
from interviews.protocols.knowledge_transfer.protocol import PROTOCOL
from interviews.protocols.knowledge_transfer.state import FoundFact
from interviews.turns.store.records import register


def save_facts(session: Session, found: Sequence[FoundFact]) -> None:
    entry_ids, last = _entry_ids_and_last_number(session, {fact.position for fact in found})
    Fact.objects.bulk_create(
        Fact(
            session=session,
            entry_id=entry_ids[fact.position],
            number=number,
            text=fact.text,
            original=fact.text,
            question=fact.question,
            confidence=fact.confidence,
            source=fact.source,
        )
        for number, fact in enumerate(found, start=last + 1)
    )


def _entry_ids_and_last_number(session: Session, positions: set[int]) -> tuple[dict[int, int], int]:
    numbers = Fact.objects.filter(session=OuterRef("session")).order_by().values("session")
    last = Subquery(numbers.annotate(last=Max("number")).values("last"))
    entries = TranscriptEntry.objects.filter(session=session, position__in=positions)
    rows = list(entries.values_list("position", "id", last))
    return {position: pk for position, pk, _ in rows}, max((n or 0 for *_, n in rows), default=0)


def remove_facts(sessions: Collection[UUID]) -> None:
    remove(Fact.objects.filter(session__in=sessions))


register(PROTOCOL.name, save_facts, remove_facts)
