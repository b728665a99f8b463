"""The wish for after-work, written in the transaction that ends an interview."""

from functools import partial

from django.db import transaction

from interviews.models import Session
from interviews.protocols import PROTOCOLS
from interviews.words import Role, Status
from reflections import work
from reflections.models import Reflection


def interview_ended(session: Session) -> None:
    """Wishes for the products of a session that has ended, if anything was answered in it."""
    if session.status not in (Status.COMPLETED, Status.STOPPED):
        return
    if not session.entries.filter(role=Role.PARTICIPANT).exclude(text="").exists():
        return
    for name in PROTOCOLS[session.plan.protocol].products:
        wish, new = Reflection.objects.get_or_create(session=session, name=name)
        if new:
            transaction.on_commit(partial(work.hand_out, wish.pk))
