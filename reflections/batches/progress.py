from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.db.models import BooleanField, Count, ExpressionWrapper, F, Max, Q, QuerySet, Sum, Value
from django.db.models.expressions import Combinable

from llm.models import LLMCall
from llm.routing.routes import has_model
from plans.jobs import Job
from reflections.batches.estimates import Usage, tasks_of
from reflections.models import EXPERT, Batch, Reflection

COUNTS = {
    **{str(one): Count("reflections", filter=Q(reflections__status=one)) for one in Job.Status},
    "hindered": Count(
        "reflections",
        filter=Q(reflections__status=Job.Status.PENDING, reflections__name__startswith=EXPERT),
    ),
}


@dataclass(frozen=True)
class Progress:
    ready: int = 0
    running: int = 0
    failed: int = 0
    pending: int = 0
    hindered: int = 0  # pending ones that wait for a model

    @property
    def total(self) -> int:
        return self.ready + self.running + self.failed + self.pending

    @property
    def waiting(self) -> int:
        return self.pending - self.hindered

    @property
    def busy(self) -> bool:
        return bool(self.running or self.waiting)

    @property
    def sentence(self) -> str:
        failed = f", {self.failed:,} failed" if self.failed else ""
        return f"{self.ready:,} of {self.total:,}{failed}"

    @property
    def shares(self) -> list[tuple[str, int, float]]:
        """Name, count and share in per cent of each state that occurs."""
        states = ("ready", "running", "failed", "waiting", "hindered")
        counts = ((name, int(getattr(self, name))) for name in states)
        return [(name, n, 100 * n / self.total) for name, n in counts if n]


def progress_of(batch: Batch) -> Progress:
    return progress_in(with_progress(Batch.objects.filter(pk=batch.pk)).get())


def with_progress(batches: QuerySet[Batch]) -> QuerySet[Batch]:
    """Annotate batches with what `progress_in` reads."""
    return batches.annotate(**COUNTS)


def progress_in(batch: Batch) -> Progress:
    counts = {name: int(getattr(batch, name)) for name in COUNTS}
    return Progress(**counts | ({"hindered": 0} if has_model() else {}))


def failures(batch: Batch) -> QuerySet[Reflection]:
    failed = batch.reflections.filter(status=Job.Status.FAILED).order_by("pk")
    return failed.select_related("session__participant").defer("session__state", "content")


SETTLED = (Job.Status.READY, Job.Status.FAILED)


@dataclass(frozen=True)
class Spent(Usage):
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
