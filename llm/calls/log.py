"""Stores call records as rows, with their cost."""

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
    rows = [LLMCall(**asdict(record), cost=cost(record)) for record in records]
    LLMCall.objects.bulk_create(rows)


async def log_call(record: CallRecord, sink: Callable[[CallRecord], None] | None) -> None:
    """Pass the record to `sink`, or store it at once without one.

    A database error is only logged, since it's no reason to lose an interview's turn.
    """
    if sink is not None:
        sink(record)
        return
    try:
        await in_database(save, [record])
    except DatabaseError:
        logger.exception("A call to a model could not be logged")
