"""Stores call records as rows, with their cost."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import asdict

from django.db import DatabaseError, transaction

from llm.concurrency.threads import in_database
from llm.costs.prices import cost, with_tokens
from llm.models import LLMCall
from llm.tasks.records import CallRecord

logger = logging.getLogger(__name__)
_may_store: Callable[[str], bool] = bool


def store_only_if(may_store: Callable[[str], bool]) -> None:
    """Set what says, in the transaction that logs a call, whether its interview still exists.

    It locks the interview, so that a call logged meanwhile is deleted with it or isn't stored.
    """
    global _may_store
    _may_store = may_store


def save(records: Sequence[CallRecord]) -> None:
    counted = map(with_tokens, records)  # or cut-short calls would cost an interview nothing
    rows = [LLMCall(**asdict(one), cost=cost(one)) for one in counted]
    LLMCall.objects.bulk_create(rows)


@transaction.atomic
def _save_unless_gone(record: CallRecord) -> None:
    if not record.session or _may_store(record.session):
        save([record])


async def log_call(record: CallRecord, sink: Callable[[CallRecord], None] | None) -> None:
    """Pass the record to `sink`, or store it at once without one, if its interview still exists.

    A database error is only logged, since it's no reason to lose an interview's turn.
    """
    if sink is not None:
        sink(record)
        return
    try:
        await in_database(_save_unless_gone, record)
    except DatabaseError:
        logger.exception("A call to a model could not be logged")
