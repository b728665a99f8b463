"""Batches: begun once, requested in portions, run again where products failed.

    offer_of -> Choice -> begin -> request_products -> progress_of

Where `request_products` was broken off, the batch isn't complete, and it can be called again.
What a person has reviewed is never made anew, and what is being made already is left alone.
"""

from collections.abc import Iterator, Sequence
from typing import Any, TypeVar
from uuid import UUID

from django.db import transaction
from django.db.models import Max, QuerySet

from interviews.models import Session
from plans.jobs import ANEW, UNDER_WAY, Job
from plans.models import Bot
from reflections import jobs
from reflections.batches.offers import REVIEWED, BatchChoice, BatchOffer, choice_of
from reflections.batches.progress import failures
from reflections.models import Batch, Reflection

PORTION = 300  # interviews whose product is requested in one transaction
AT_ONCE = 20  # products that are handed out at once; the sweeper takes the others
Key = TypeVar("Key")


class BegunMeanwhile(Exception):
    """Another batch of the bot was begun since this one was looked at."""

    def __init__(self, batch: Batch) -> None:
        super().__init__(str(batch))
        self.batch = batch


def latest(bot: Bot) -> int:
    """The number of the bot's latest batch; 0 where there is none."""
    return Batch.objects.filter(bot=bot).aggregate(last=Max("pk"))["last"] or 0


@transaction.atomic
def begin(bot: Bot, choice: BatchChoice, estimate: Any, user: str, after: int) -> Batch:
    """A new batch that has wished for nothing yet, unless one was begun after the one that was the
    latest when this was looked at: then BegunMeanwhile."""
    Bot.objects.select_for_update().get(pk=bot.pk)
    other = Batch.objects.filter(bot=bot, pk__gt=after).order_by("pk").first()
    if other is not None:
        raise BegunMeanwhile(other)
    return Batch.objects.create(
        bot=bot,
        products=list(choice.products),
        which=choice.which,
        synthetic=choice.synthetic,
        previews=choice.previews,
        complete=False,
        estimate=estimate,
        created_by=user,
    )


def request_products(batch: Batch, offer: BatchOffer) -> int:
    """Wishes for all of it, some hundred interviews at a time, but for nothing twice; how many
    products."""
    count, choice = 0, choice_of(batch)
    for name in choice.products:
        keys = list(offer.lacking(name, choice, batch).values_list("pk", flat=True))
        count += sum(_portion(batch, name, some) for some in _portions(keys))
    batch.complete = True
    batch.save(update_fields=["complete"])
    _enqueue(batch)
    return count


def run_failed(batch: Batch) -> int:
    """Wishes anew for those of the batch that failed and that nobody has reviewed; how many."""
    keys = list(failures(batch).values_list("pk", flat=True))
    count = sum(_anew(Reflection.objects.filter(pk__in=some)) for some in _portions(keys))
    _enqueue(batch)
    return count


@transaction.atomic
def _portion(batch: Batch, name: str, keys: Sequence[UUID]) -> int:
    """One product of some interviews: what is there is made anew, what isn't is wished for.

    What the batch has wished for already is left alone.
    """
    rows = Reflection.objects.filter(session__in=keys, name=name)
    count = _anew(rows.exclude(batch=batch), batch=batch)
    there = set(rows.values_list("session", flat=True))
    stay = Session.objects.filter(pk__in=keys).order_by("pk")  # not deleted meanwhile
    held = stay.select_for_update(no_key=True).values_list("pk", flat=True)
    new = [Reflection(session_id=key, name=name, batch=batch) for key in held if key not in there]
    Reflection.objects.bulk_create(new, ignore_conflicts=True)  # an interview ends at this moment
    return count + len(new)


@transaction.atomic
def _anew(rows: QuerySet[Reflection], **fields: Any) -> int:
    """Wishes anew for those that are neither under way nor reviewed; how many."""
    locked = rows.order_by("pk").select_for_update().values_list("pk", flat=True)
    free = Reflection.objects.filter(pk__in=list(locked)).exclude(status__in=UNDER_WAY)
    return free.exclude(REVIEWED).update(**ANEW, **fields)


def _enqueue(batch: Batch) -> None:
    """A few, so that it begins now; the sweeper hands out the others."""
    waiting = batch.reflections.filter(status=Job.Status.PENDING).order_by("pk")
    for pk in waiting.values_list("pk", flat=True)[:AT_ONCE]:
        jobs.enqueue(pk)


def _portions(keys: Sequence[Key]) -> Iterator[Sequence[Key]]:
    return (keys[start : start + PORTION] for start in range(0, len(keys), PORTION))
