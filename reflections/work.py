"""After-work: claimed, made, stored once; found again when its process has died."""

from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import Q

from interviews.models import Session
from interviews.words import Status
from llm.budgets import hindrance
from llm.models import LLMCall
from plans.budgets import wait_for_budget
from plans.jobs import ANEW, NotWanted, Workshop
from reflections.models import EXPERT, Calibration, Judgement, Reflection
from reflections.products import FOLLOWING, maker_of
from reflections.reviews import review_of


def _made(reflection: Reflection) -> dict[str, Any]:
    """Raises NotWanted for an interview that was withdrawn, NotNow where there is a model and the
    day's budget is spent, beside what makers raise."""
    if reflection.session.status == Status.WITHDRAWN:
        raise NotWanted
    wait_for_budget(reflection.session.bot)
    return {"content": maker_of(reflection.name)(reflection.session)}


def _follow(reflection: Reflection) -> None:
    """Wishes for what follows from it, anew where it is there already.

    Raises NotWanted if the interview was withdrawn while this was made.
    """
    names = FOLLOWING.get(reflection.name, ())
    there = Reflection.objects.filter(session_id=reflection.session_id, name__in=names)
    # Before the session, as whoever stores or deletes them does, or both would wait for ever.
    list(there.order_by("pk").select_for_update().values_list("pk"))
    if not _held(reflection):
        raise NotWanted
    for name in names:
        made, new = Reflection.objects.get_or_create(session_id=reflection.session_id, name=name)
        if new or _freed(made):
            transaction.on_commit(partial(hand_out, made.pk))


def _freed(reflection: Reflection) -> bool:
    """Whether it is to be made again: not while a person's judgement rests on it.

    Whoever makes it now makes it from what was there before, and loses the claim.
    """
    Reflection.objects.select_for_update().get(pk=reflection.pk)
    if review_of(reflection).state != Judgement.State.DRAFT:
        return False
    return bool(Reflection.objects.filter(pk=reflection.pk).update(**ANEW))


def _held(row: Reflection | Calibration) -> bool:
    """Whether the interview is still there; until the transaction ends it stays so."""
    there = Session.objects.filter(pk=row.session_id).exclude(status=Status.WITHDRAWN)
    return there.order_by("pk").select_for_update(no_key=True).values_list("pk").first() is not None


@transaction.atomic
def forget(row: Reflection | Calibration) -> None:
    """Of an interview that was deleted or withdrawn while this was made, the log of calls to models
    keeps no words either."""
    if not _held(row):
        LLMCall.objects.filter(session=str(row.session_id)).delete()


def _queue(reflection_id: int) -> None:
    from reflections.tasks import make_reflection  # Celery's door imports this module

    make_reflection.delay(reflection_id)


_workshop = Workshop(
    Reflection,
    _made,
    _queue,
    hindrance,
    hindered=Q(name__startswith=EXPERT),
    after=_follow,
    gone=forget,
)
make = _workshop.run
sweep = _workshop.sweep
hand_out = _workshop.hand_out
