"""What the page of a batch shows."""

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
COSTS_REST = 30  # seconds


@dataclass(frozen=True)
class FailedProduct:
    """A product that could not be made."""

    row: Reflection

    @property
    def who(self) -> str:
        """Whose interview, by pseudonym."""
        return who(self.row.session)


@dataclass(frozen=True)
class BatchView:
    """A batch and how far it is."""

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
        """Whether what it wishes for is perhaps still being written down."""
        return not self.batch.complete and timezone.now() - self.batch.created_at < BEGINNING

    @property
    def broken_off(self) -> bool:
        """Whether not all of it was wished for, and perhaps nobody is at it."""
        return not self.batch.complete and not self.beginning

    @property
    def follows(self) -> bool:
        return self.progress.busy or self.beginning

    @property
    def more_failures(self) -> int:
        """How many are not in the list."""
        return self.progress.failed - len(self.failures)

    @property
    def seen(self) -> str:
        """A mark of all this, which changes with it."""
        told = (self.progress, self.spent, self.batch.complete, self.beginning)
        return hashlib.sha256(repr(told).encode()).hexdigest()[:16]


def shown(batch: Batch, anew: bool = True) -> BatchView:
    """All of it, counted anew; while more is to come the costs only if `anew`, or after a while."""
    failed = [FailedProduct(row) for row in failures(batch)[:SHOWN]]
    told = BatchView(batch, progress_of(batch), failed)
    return replace(told, spent=_spent(batch, anew or not told.follows))


def in_a_list(batch: Batch) -> BatchView:
    """One that comes from `with_progress`, without failures and costs; asks nothing."""
    return BatchView(batch, progress_in(batch))


def titles_of(batch: Batch) -> list[str]:
    return [Reflection(name=name).title for name in batch.products]


def _spent(batch: Batch, anew: bool) -> Spent | None:
    """Added up anew, or not long ago: it takes all calls for all of these interviews."""
    place = f"batch-spent-{batch.pk}"
    if anew:
        cache.delete(place)
    found: Spent | None = cache.get_or_set(place, lambda: spent_on(batch), COSTS_REST)
    return found
