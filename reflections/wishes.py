"""The wish for after-work, written in the transaction that ends an interview."""

from functools import partial

from django.db import transaction

from interviews.models import Session
from interviews.protocols import PROTOCOLS
from interviews.words import Role, Status
from plans.jobs import Job
from reflections import work
from reflections.models import Reflection
from reflections.reports import own_products


def interview_ended(session: Session) -> None:
    """Wishes for the products of a session that has ended, if anything was answered in it."""
    if session.status not in (Status.COMPLETED, Status.STOPPED):
        return
    if not session.entries.filter(role=Role.PARTICIPANT).exclude(text="").exists():
        return
    for name in (*PROTOCOLS[session.plan.protocol].products, *own_products(session)):
        wish, new = Reflection.objects.get_or_create(session=session, name=name)
        if new:
            transaction.on_commit(partial(work.hand_out, wish.pk))


def make_again(reflection: Reflection) -> None:
    """Wishes for it anew, unless it is being made; what is there stays until then.

    To be called in a transaction.
    """
    settled = Reflection.objects.filter(pk=reflection.pk).exclude(status=Job.Status.RUNNING)
    again = settled.update(
        status=Job.Status.PENDING, reason="", attempts=0, claim=None, claimed_until=None
    )
    if again:
        transaction.on_commit(partial(work.hand_out, reflection.pk))
