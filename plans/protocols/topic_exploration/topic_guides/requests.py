from collections.abc import Mapping
from functools import partial
from typing import Any

from django.db import transaction

from plans.jobs import ANEW, Job
from plans.models import Bot, Intelligence
from plans.models.copies import clone
from plans.protocols.topic_exploration.content import current_signature
from plans.protocols.topic_exploration.topic_guides.job import JOB


def request_guides(bot: Bot) -> Intelligence | None:
    """Return the guides for the bot as it is now, requesting them if there are none yet.

    Call it in the transaction that changes the bot. Returns None if there is nothing to prepare.
    """
    signature = current_signature(bot)
    if not signature:
        return None
    row, new = Intelligence.objects.get_or_create(bot=bot, signature=signature)
    if new:
        _delete_unstarted(row)
        _enqueue(row)
    return row


def current_guides(bot: Bot) -> Intelligence | None:
    return Intelligence.objects.filter(bot=bot, signature=current_signature(bot)).first()


def duplicate_guides(bot: Bot, copy: Bot) -> None:
    row = current_guides(bot)
    if row and row.status == Job.Status.READY:
        clone(row, bot=copy)


def request_new_guides(row: Intelligence) -> None:
    Intelligence.objects.filter(pk=row.pk).update(**ANEW)
    _enqueue(row)


def write_guides(row: Intelligence, content: Mapping[str, Any]) -> None:
    """Store what a person wrote; a job in progress will not overwrite it."""
    row.status, row.reason, row.edited = Job.Status.READY, "", True
    row.content, row.claim, row.claimed_until = dict(content), None, None
    row.save()


def _enqueue(row: Intelligence) -> None:
    transaction.on_commit(partial(JOB.enqueue, row.pk))


def _delete_unstarted(row: Intelligence) -> None:
    # No interview will ask for guides of the bot's earlier states.
    earlier = Intelligence.objects.filter(bot=row.bot, attempts=0, edited=False, content={})
    earlier.filter(status=Job.Status.PENDING).exclude(pk=row.pk).delete()
