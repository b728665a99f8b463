import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from django import forms
from django.core.cache import cache
from django.http import QueryDict
from django.utils import timezone

from interviews.admin.querysets import who
from reflections.batches.offers import BatchChoice, BatchOffer, WhichInterviews
from reflections.batches.progress import Progress, Spent, failures, progress_of, spent_on
from reflections.models import Batch, Reflection

SHOWN = 50  # failures
BEGINNING = timedelta(minutes=2)
CACHE_SECONDS = 30  # of the costs


@dataclass(frozen=True)
class BatchView:
    batch: Batch
    progress: Progress
    failures: Sequence[tuple[Reflection, str]] = ()  # and whose they are
    spent: Spent | None = None

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


def batch_view(batch: Batch, refresh: bool) -> BatchView:
    """Return the batch with fresh counts; costs may be cached while it runs, unless `refresh`."""
    failed = [(row, who(row.session)) for row in failures(batch)[:SHOWN]]
    view = BatchView(batch, progress_of(batch), failed)
    return replace(view, spent=_spent(batch, refresh or not view.follows))


def titles_of(batch: Batch) -> list[str]:
    return [Reflection(name=name).title for name in batch.products]


def _spent(batch: Batch, refresh: bool) -> Spent | None:
    key = f"batch-spent-{batch.pk}"
    if refresh:
        cache.delete(key)
    # Cached because it sums up all calls for all of these interviews.
    spent: Spent | None = cache.get_or_set(key, lambda: spent_on(batch), CACHE_SECONDS)
    return spent


class BatchForm(forms.Form):
    products = forms.MultipleChoiceField(
        widget=forms.CheckboxSelectMultiple(),
        error_messages={"required": "Choose at least one result."},
    )
    which = forms.ChoiceField(
        choices=WhichInterviews.choices,
        widget=forms.RadioSelect(),
        initial=WhichInterviews.MISSING,
        label="Which interviews",
    )
    synthetic = forms.BooleanField(required=False, label="Include simulated participants")
    previews = forms.BooleanField(required=False, label="Include previews")
    # The bot's latest batch when the costs were shown; empty if they were not.
    after = forms.IntegerField(required=False, min_value=0, widget=forms.HiddenInput())

    def __init__(self, offer: BatchOffer, data: QueryDict) -> None:
        super().__init__(data if "which" in data else None)
        lacking = {
            name: offer.lacking(name, BatchChoice((name,))).count() for name in offer.products
        }
        choices = [(name, _label(name, count)) for name, count in lacking.items()]
        self.fields["products"].choices = choices  # type: ignore[attr-defined]
        self.initial["products"] = [name for name in offer.usual if lacking[name]]

    @property
    def choice(self) -> BatchChoice:
        data = self.cleaned_data
        which = WhichInterviews(data["which"])
        return BatchChoice(tuple(data["products"]), which, data["synthetic"], data["previews"])


def _label(name: str, lacking: int) -> str:
    title = Reflection(name=name).title
    return f"{title} (missing for {lacking:,})" if lacking else f"{title} (missing for none)"
