"""The call log: records become rows, with their cost."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import asdict

from django.db import DatabaseError

from llm.concurrency.threads import in_database
from llm.costs.prices import cost
from llm.models import LLMCall
from llm.tasks.records import CallRecord

logger = logging.getLogger(__name__)


def save(records: Sequence[CallRecord]) -> None:
    """Write the records in one statement; DatabaseError if the database refuses."""
    LLMCall.objects.bulk_create(
        [LLMCall(**asdict(record), cost=cost(record)) for record in records]
    )


async def keep(record: CallRecord, sink: Callable[[CallRecord], None] | None) -> None:
    """Hand the record to `sink`, or write it at once.

    A log that cannot be written is no reason to lose an interview's turn: that is only reported.
    """
    if sink is not None:
        sink(record)
        return
    try:
        await in_database(save, [record])
    except DatabaseError:
        logger.exception("A call to a model could not be logged")
