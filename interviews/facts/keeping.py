"""Facts become rows in the transaction that commits their turn."""

from collections.abc import Sequence

from django.db.models import Max

from interviews.engine.types import FoundFact
from interviews.models import Fact, Session, TranscriptEntry


def keep_facts(session: Session, found: Sequence[FoundFact]) -> None:
    """Adds the facts of a turn, numbered on."""
    if not found:
        return
    entries = TranscriptEntry.objects.filter(
        session=session, position__in={fact.position for fact in found}
    )
    entry_at = dict(entries.values_list("position", "id"))
    last = Fact.objects.filter(session=session).aggregate(last=Max("number"))["last"] or 0
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
