"""Batches: begun once, requested in portions, run again where products failed.

    offer_of -> BatchChoice -> begin -> request_products -> progress_of

If `request_products` is interrupted, the batch isn't complete, and it can be called again. Products
that a person has reviewed or that are being made are left alone.
"""

from collections.abc import Iterator, Sequence
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Max, QuerySet

from interviews.choices import ENDED
from interviews.models import Session
from plans.jobs import ANEW, UNDER_WAY, Job
from plans.models import Bot
from reflections import jobs
from reflections.batches.offers import REVIEWED, BatchChoice, BatchOffer, choice_of
from reflections.batches.progress import failures
from reflections.models import Batch, Reflection

PORTION = 300  # interviews whose product is requested in one transaction
AT_ONCE = 20  # products that are enqueued at once; the sweeper enqueues the others


class BegunMeanwhile(Exception):
    def __init__(self, batch: Batch) -> None:
        super().__init__(str(batch))
        self.batch = batch


def latest(bot: Bot) -> int:
    return Batch.objects.filter(bot=bot).aggregate(last=Max("pk"))["last"] or 0


@transaction.atomic
def begin(bot: Bot, choice: BatchChoice, estimate: Any, user: str, after: int) -> Batch:
    """Return a new batch without requests. Raises BegunMeanwhile.

    `after` is the id of the bot's latest batch when the costs were looked at.
    """
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
    """Request all products of the batch, each once; return how many were requested."""
    count, choice = 0, choice_of(batch)
    for name in choice.products:
        keys = list(offer.lacking(name, choice, batch).values_list("pk", flat=True))
        count += sum(_request_portion(batch, name, some) for some in _portions(keys))
    batch.complete = True
    batch.save(update_fields=["complete"])
    _enqueue(batch)
    return count


def run_failed(batch: Batch) -> int:
    """Request the batch's failed, unreviewed products again; return how many."""
    keys = list(failures(batch).values_list("pk", flat=True))
    count = sum(_request_again(Reflection.objects.filter(pk__in=some)) for some in _portions(keys))
    _enqueue(batch)
    return count


@transaction.atomic
def _request_portion(batch: Batch, name: str, keys: Sequence[UUID]) -> int:
    """Request one product of some interviews; return how many.

    Existing ones are made again, except those that the batch has requested already.
    """
    rows = Reflection.objects.filter(session__in=keys, name=name)
    count = _request_again(rows.exclude(batch=batch), batch=batch)
    known = set(rows.values_list("session", flat=True))
    # Some may be deleted or withdrawn by now.
    sessions = Session.objects.filter(pk__in=keys, status__in=ENDED).order_by("pk")
    locked = sessions.select_for_update(no_key=True).values_list("pk", flat=True)
    new = [Reflection(session_id=key, name=name, batch=batch) for key in locked if key not in known]
    Reflection.objects.bulk_create(new, ignore_conflicts=True)  # it may just have been made
    return count + len(new)


@transaction.atomic
def _request_again(rows: QuerySet[Reflection], **fields: Any) -> int:
    """Request products again that are neither under way nor reviewed; return how many."""
    locked = rows.order_by("pk").select_for_update().values_list("pk", flat=True)
    free = Reflection.objects.filter(pk__in=list(locked)).exclude(status__in=UNDER_WAY)
    return free.exclude(REVIEWED).update(**ANEW, **fields)


def _enqueue(batch: Batch) -> None:
    waiting = batch.reflections.filter(status=Job.Status.PENDING).order_by("pk")
    for pk in waiting.values_list("pk", flat=True)[:AT_ONCE]:
        jobs.enqueue(pk)


def _portions(keys: Sequence[Any]) -> Iterator[Sequence[Any]]:
    return (keys[start : start + PORTION] for start in range(0, len(keys), PORTION))
