"""Products as background jobs: requested, made once each, made again, swept up.

An interview's end requests its products in the same transaction; people request others, or the
same ones again. `make` claims a row and stores what the product's maker gives; what is to follow a
product is requested in the transaction that stores it.
"""

from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet

from interviews.choices import ENDED, SessionStatus, SpeakerRole
from interviews.models import Session
from llm.costs.budgets import blocked_reason
from llm.models import LLMCall
from plans.bots.budgets import wait_for_budget
from plans.jobs import ANEW, Cancelled, Job, JobType, celery_task
from plans.protocols import read_by_experts
from reflections.models import EXPERT, Calibration, Expert, Judgement, Reflection
from reflections.products import followers, product_of, products_of
from reflections.reviews import review_of

TASK = "reflections.tasks.make_reflection"


class IsReviewed(Exception):
    """A person's judgement rests on the product, so it is not made again."""


# -- requests


def interview_ended(session: Session) -> None:
    """Request the products of a session that has ended, if anything was answered in it."""
    if not has_material(session):
        return
    for name in wanted(session):
        request(session, name)


def has_material(session: Session) -> bool:
    """Whether the session has ended and anything was answered in it."""
    answers = session.entries.filter(role=SpeakerRole.PARTICIPANT).exclude(text="")
    return session.status in ENDED and answers.exists()


@transaction.atomic
def request(session: Session, name: str) -> None:
    """Request one product, unless it exists or is requested already."""
    row, new = Reflection.objects.get_or_create(session=session, name=name)
    if new:
        transaction.on_commit(partial(enqueue, row.pk))


def wanted(session: Session) -> tuple[str, ...]:
    """The names of the products that are made of an interview without anybody asking."""
    return (*products_of(session), *_experts(session))


def _experts(session: Session) -> tuple[str, ...]:
    if session.bot is None or not read_by_experts(session.bot):
        return ()
    keys = Expert.objects.filter(active=True).values_list("key", flat=True)
    return tuple(f"{EXPERT}{key}" for key in keys)


def make_again(reflection: Reflection) -> None:
    """Request a product anew, unless it is being made; its content stays until then.

    It leaves its batch, or its cost would be added to that. To be called in a transaction.
    """
    settled = Reflection.objects.filter(pk=reflection.pk).exclude(status=Job.Status.RUNNING)
    if settled.update(**ANEW, batch=None):
        _following(reflection).update(batch=None)
        transaction.on_commit(partial(enqueue, reflection.pk))


def _following(reflection: Reflection) -> QuerySet[Reflection]:
    """What will be made again because this is: nothing that a person's judgement rests on."""
    names = followers(reflection.name)
    found = Reflection.objects.filter(session=reflection.session_id, name__in=names)
    return found.filter(Q(review=None) | Q(review__state=Judgement.State.DRAFT))


@transaction.atomic
def run_again(reflection: Reflection) -> None:
    """Make a product again at a person's request. Raises IsReviewed while a judgement rests on
    it."""
    Reflection.objects.select_for_update().filter(pk=reflection.pk).first()  # it may be gone
    if review_of(reflection).state != Judgement.State.DRAFT:
        raise IsReviewed("It is reviewed. Open it again before it is made anew.")
    make_again(reflection)


# -- the job


def _made(reflection: Reflection) -> dict[str, Any]:
    """The fields to store.

    Raises Cancelled for an interview that was withdrawn, RetryLater where there is a model and the
    day's budget is spent, beside what makers raise.
    """
    if reflection.session.status == SessionStatus.WITHDRAWN:
        raise Cancelled
    wait_for_budget(reflection.session.bot)
    return {"content": product_of(reflection.name).make(reflection.session)}


def _follow(reflection: Reflection) -> None:
    """Request what follows from a product, anew where it exists already.

    Raises Cancelled if the interview was withdrawn while the product was made.
    """
    names = followers(reflection.name)
    there = Reflection.objects.filter(session_id=reflection.session_id, name__in=names)
    # Before the session, in the order of those who store or delete them, or both wait for ever.
    list(there.order_by("pk").select_for_update().values_list("pk"))
    if not _lock_session(reflection):
        raise Cancelled
    for name in names:
        made, new = Reflection.objects.get_or_create(session_id=reflection.session_id, name=name)
        if new or _reset(made):
            transaction.on_commit(partial(enqueue, made.pk))


def _reset(reflection: Reflection) -> bool:
    """Set a product back to be made again; not while a person's judgement rests on it.

    A worker that is making it does so from what was there before, and loses the claim.
    """
    Reflection.objects.select_for_update().get(pk=reflection.pk)
    if review_of(reflection).state != Judgement.State.DRAFT:
        return False
    return bool(Reflection.objects.filter(pk=reflection.pk).update(**ANEW))


def _lock_session(row: Reflection | Calibration) -> bool:
    """Whether the interview is still there; until the transaction ends it stays so."""
    there = Session.objects.filter(pk=row.session_id).exclude(status=SessionStatus.WITHDRAWN)
    return there.order_by("pk").select_for_update(no_key=True).values_list("pk").first() is not None


@transaction.atomic
def delete_calls(row: Reflection | Calibration) -> None:
    """Delete the logged model calls of an interview that was deleted or withdrawn while this was
    made, since they hold its words."""
    if not _lock_session(row):
        LLMCall.objects.filter(session=str(row.session_id)).delete()


_job_type = JobType(
    Reflection,
    _made,
    celery_task(TASK),
    blocked_reason,
    blockable=Q(name__startswith=EXPERT),
    after=_follow,
    clean_up=delete_calls,
)
make = _job_type.run
sweep = _job_type.sweep
enqueue = _job_type.enqueue
