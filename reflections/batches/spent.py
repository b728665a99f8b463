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
    calls: int = 0
    read: int = 0  # tokens
    written: int = 0  # tokens
    cost: Decimal = Decimal(0)
    unpriced: int = 0  # calls to models without a price


def spent_on(batch: Batch) -> Spent | None:
    """Return the cost of the batch's calls until all was settled, or None without its bot.

    Calls for the same interviews and tasks that were requested elsewhere meanwhile are counted as
    well: the log doesn't tell them apart.
    """
    if batch.bot_id is None:
        return None
    keys, failed = _sessions(batch), _sessions(batch, status=Job.Status.FAILED)
    rows = [
        row
        for row in _usage_by_session(batch)
        if row["session"] in (failed if row["late"] else keys)
    ]
    return Spent(
        sum(row["calls"] for row in rows),
        sum(row["read"] for row in rows),
        sum(row["written"] for row in rows),
        sum((row["spent"] or Decimal(0) for row in rows), Decimal(0)),
        sum(row["unpriced"] for row in rows),
    )


def _sessions(batch: Batch, **which: str) -> set[str]:
    rows = batch.reflections.filter(**which).order_by()
    return {str(key) for key in rows.values_list("session", flat=True)}


def _usage_by_session(batch: Batch) -> Iterable[Mapping[str, Any]]:
    tasks = {task for name in batch.products for task in tasks_of(name)}
    calls = LLMCall.objects.filter(
        bot=str(batch.bot_id), task__in=sorted(tasks), created_at__gte=batch.created_at
    )
    counted = calls.annotate(late=_is_late(batch)).order_by().values("session", "late")
    return counted.annotate(
        calls=Count("pk"),
        read=Sum(F("input_tokens") + F("cache_read_tokens") + F("cache_write_tokens")),
        written=Sum("output_tokens"),
        spent=Sum("cost"),
        unpriced=Count("pk", filter=Q(cost=None)),
    )


def _is_late(batch: Batch) -> Combinable:
    """Whether a call came after the last product was made, once all are settled.

    Failures have no time, so late calls may still be those of failed products.
    """
    rows = batch.reflections.all()
    last = rows.aggregate(last=Max("finished_at", filter=Q(finished_at__gte=batch.created_at)))
    if last["last"] is None or rows.exclude(status__in=SETTLED).exists():
        return Value(False)
    return ExpressionWrapper(Q(created_at__gt=last["last"]), output_field=BooleanField())
