from dataclasses import dataclass

from django.db.models import Count, Q, QuerySet

from llm.routing.routes import has_model
from plans.jobs import Job
from plans.models import Bot
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


def batches_of(bot: Bot) -> QuerySet[Batch]:
    return with_progress(Batch.objects.filter(bot=bot))
