"""When intelligence is wished for, made again, or written by a person."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from django.db import transaction

from plans.jobs import ANEW, Job
from plans.models import Bot, Intelligence
from plans.models.copies import clone
from plans.protocols.topic_exploration.content import rests_on
from plans.protocols.topic_exploration.topic_guides.job import JOB


def request_guides(bot: Bot) -> Intelligence | None:
    """The intelligence for the bot as it stands; wished for if there is none for it yet.

    To be called in the transaction that changes the bot. None where there is nothing to prepare.
    """
    signature = rests_on(bot)
    if not signature:
        return None
    row, new = Intelligence.objects.get_or_create(bot=bot, signature=signature)
    if new:
        _forget_unbegun(row)
        _enqueue(row)
    return row


def current(bot: Bot) -> Intelligence | None:
    """The intelligence for the bot as it stands."""
    return Intelligence.objects.filter(bot=bot, signature=rests_on(bot)).first()


def duplicate(bot: Bot, copy: Bot) -> None:
    """Give the copy of a bot what is finished for the bot as it stands."""
    row = current(bot)
    if row and row.status == Job.Status.READY:
        clone(row, bot=copy)


def request_again(row: Intelligence) -> None:
    """Wishes for a new one; what is there is used until it comes."""
    Intelligence.objects.filter(pk=row.pk).update(**ANEW)
    _enqueue(row)


def write(row: Intelligence, content: Mapping[str, Any]) -> None:
    """Stores what a person wrote. What is just being made for it is not stored any more."""
    row.status, row.reason, row.edited = Job.Status.READY, "", True
    row.content, row.claim, row.claimed_until = dict(content), None, None
    row.save()


def _enqueue(row: Intelligence) -> None:
    transaction.on_commit(partial(JOB.enqueue, row.pk))


def _forget_unbegun(row: Intelligence) -> None:
    """Those of earlier states that nobody has begun to make: no interview will ask for them."""
    earlier = Intelligence.objects.filter(bot=row.bot, attempts=0, edited=False, content={})
    earlier.filter(status=Job.Status.PENDING).exclude(pk=row.pk).delete()
