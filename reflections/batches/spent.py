"""What a batch has cost so far, by the log of calls."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.db.models import BooleanField, Count, ExpressionWrapper, F, Max, Q, Sum, Value
from django.db.models.expressions import Combinable

from llm.models import LLMCall
from plans.jobs import Job
from reflections.batches.estimates import tasks_of
from reflections.models import Batch

SETTLED = (Job.Status.READY, Job.Status.FAILED)


@dataclass(frozen=True)
class Spent:
    """What was asked, and what it cost."""

    calls: int = 0
    read: int = 0  # tokens
    written: int = 0  # tokens
    cost: Decimal = Decimal(0)
    unpriced: int = 0  # calls to models without a price


def spent_on(batch: Batch) -> Spent | None:
    """The calls for these products, of these interviews, from the batch's beginning until all of it
    was settled; None where nobody knows, since the bot is gone.

    What is asked of the same interviews meanwhile, for the same tasks but another wish, is counted
    as well: the log of calls doesn't tell them apart.
    """
    if batch.bot_id is None:
        return None
    keys, failed = _sessions(batch), _sessions(batch, status=Job.Status.FAILED)
    counted = (
        one for one in _by_session(batch) if one["session"] in (failed if one["late"] else keys)
    )
    parts = [_spent(one) for one in counted]
    return Spent(
        sum(part.calls for part in parts),
        sum(part.read for part in parts),
        sum(part.written for part in parts),
        sum((part.cost for part in parts), Decimal(0)),
        sum(part.unpriced for part in parts),
    )


def _sessions(batch: Batch, **which: str) -> set[str]:
    """The interviews of the batch, as the log of calls names them."""
    rows = batch.reflections.filter(**which).order_by()
    return {str(key) for key in rows.values_list("session", flat=True)}


def _by_session(batch: Batch) -> Iterable[Mapping[str, Any]]:
    tasks = {task for name in batch.products for task in tasks_of(name)}
    calls = LLMCall.objects.filter(
        bot=str(batch.bot_id), task__in=sorted(tasks), created_at__gte=batch.created_at
    )
    counted = calls.annotate(late=_late(batch)).order_by().values("session", "late")
    return counted.annotate(
        calls=Count("pk"),
        read=Sum(F("input_tokens") + F("cache_read_tokens") + F("cache_write_tokens")),
        written=Sum("output_tokens"),
        spent=Sum("cost"),
        unpriced=Count("pk", filter=Q(cost=None)),
    )


def _late(batch: Batch) -> Combinable:
    """Whether a call came after the last product was there, all being settled.

    When one failed isn't known, so late calls may still be those of the failed ones.
    """
    rows = batch.reflections.all()
    last = rows.aggregate(last=Max("finished_at", filter=Q(finished_at__gte=batch.created_at)))
    if last["last"] is None or rows.exclude(status__in=SETTLED).exists():
        return Value(False)
    return ExpressionWrapper(Q(created_at__gt=last["last"]), output_field=BooleanField())


def _spent(one: Mapping[str, Any]) -> Spent:
    return Spent(
        one["calls"], one["read"], one["written"], one["spent"] or Decimal(0), one["unpriced"]
    )
