import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from django.core.cache import cache
from django.utils import timezone

from interviews.admin.querysets import who
from llm.routing.routes import NO_MODEL
from reflections.batches.progress import Progress, failures, progress_in, progress_of
from reflections.batches.spent import Spent, spent_on
from reflections.models import Batch, Reflection

SHOWN = 50  # failures
ALSO = (
    "Where the same is asked of these interviews from elsewhere meanwhile, that is counted as well."
)
BEGINNING = timedelta(minutes=2)
CACHE_SECONDS = 30  # of the costs


@dataclass(frozen=True)
class FailedProduct:
    row: Reflection

    @property
    def who(self) -> str:
        return who(self.row.session)


@dataclass(frozen=True)
class BatchView:
    batch: Batch
    progress: Progress
    failures: Sequence[FailedProduct] = ()
    spent: Spent | None = None
    no_model: str = NO_MODEL
    also: str = ALSO

    @property
    def titles(self) -> list[str]:
        return titles_of(self.batch)

    @property
    def beginning(self) -> bool:
        """Whether products may still be being requested."""
        return not self.batch.complete and timezone.now() - self.batch.created_at < BEGINNING

    @property
    def broken_off(self) -> bool:
        """Whether requesting the products stopped half-way."""
        return not self.batch.complete and not self.beginning

    @property
    def follows(self) -> bool:
        return self.progress.busy or self.beginning

    @property
    def more_failures(self) -> int:
        return self.progress.failed - len(self.failures)

    @property
    def seen(self) -> str:
        """A hash of what is shown, which changes with it."""
        state = (self.progress, self.spent, self.batch.complete, self.beginning)
        return hashlib.sha256(repr(state).encode()).hexdigest()[:16]


def batch_view(batch: Batch, refresh: bool = True) -> BatchView:
    """Return the batch with fresh counts; costs may be cached while it runs, unless `refresh`."""
    failed = [FailedProduct(row) for row in failures(batch)[:SHOWN]]
    view = BatchView(batch, progress_of(batch), failed)
    return replace(view, spent=_spent(batch, refresh or not view.follows))


def summary_view(batch: Batch) -> BatchView:
    """Return a batch from `with_progress` without failures and costs, without a query."""
    return BatchView(batch, progress_in(batch))


def titles_of(batch: Batch) -> list[str]:
    return [Reflection(name=name).title for name in batch.products]


def _spent(batch: Batch, refresh: bool) -> Spent | None:
    key = f"batch-spent-{batch.pk}"
    if refresh:
        cache.delete(key)
    # Cached because it sums up all calls for all of these interviews.
    spent: Spent | None = cache.get_or_set(key, lambda: spent_on(batch), CACHE_SECONDS)
    return spent
