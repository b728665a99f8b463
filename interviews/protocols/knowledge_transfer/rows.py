from collections.abc import Collection, Sequence
from uuid import UUID

from interviews.models import Fact, Session, TranscriptEntry
from interviews.protocols.knowledge_transfer.fact_changes import remove
from interviews.protocols.knowledge_transfer.protocol import PROTOCOL
from interviews.protocols.knowledge_transfer.state import FoundFact
from interviews.turns.store.records import register


def save_facts(session: Session, found: Sequence[FoundFact]) -> None:
    first = len(session.state["facts"]) - len(found) + 1  # the numbers of those struck stay unused
    entries = TranscriptEntry.objects.filter(session=session)
    entry_ids = dict(
        entries.filter(position__in={fact.position for fact in found}).values_list("position", "pk")
    )
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
        for number, fact in enumerate(found, start=first)
    )


def remove_facts(sessions: Collection[UUID]) -> None:
    remove(Fact.objects.filter(session__in=sessions))


register(PROTOCOL.name, save_facts, remove_facts)
