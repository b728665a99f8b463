"""Products as background jobs.

An interview's end requests its products in the same transaction; people request others, or the same
ones again. What follows a product is requested in the transaction that stores it.
"""

from typing import Any

from django.db import transaction
from django.db.models import Q

from interviews.choices import ENDED, SessionStatus, SpeakerRole
from interviews.models import Session
from interviews.models.updates import mark_changed
from interviews.turns.withdrawal import lock_unless_gone
from llm.costs.budgets import blocked_reason
from plans.bots.budgets import wait_for_budget
from plans.jobs import ANEW, UNDER_WAY, Cancelled, Job, JobType, celery_task
from plans.protocols import read_by_experts
from reflections.calibration import calibrations
from reflections.models import EXPERT, Expert, Judgement, Reflection, SimulatedInterview
from reflections.products import followers, product_of, products_of, results_of
from reflections.reviews import review_of

TASK = "reflections.tasks.make_reflection"


class IsReviewed(Exception):
    pass


# -- requests


def interview_ended(session: Session) -> None:
    if not has_material(session) or _is_simulated(session):
        return
    for name in wanted_products(session):
        request(session, name)


def _is_simulated(session: Session) -> bool:
    simulated = SimulatedInterview.objects.filter(session=session)
    return session.synthetic and simulated.exists()


def has_material(session: Session) -> bool:
    answers = session.entries.filter(role=SpeakerRole.PARTICIPANT).exclude(text="")
    return session.status in ENDED and answers.exists()


@transaction.atomic
def request(session: Session, name: str) -> None:
    """Request one product, unless it exists or is requested already."""
    row, new = Reflection.objects.get_or_create(session=session, name=name)
    if new:
        _job_type.enqueue_on_commit(row.pk)


def wanted_products(session: Session) -> tuple[str, ...]:
    read = session.bot is not None and read_by_experts(session.bot)
    return (*products_of(session), *(experts_products() if read else ()))


def experts_products() -> tuple[str, ...]:
    keys = Expert.objects.filter(active=True).values_list("key", flat=True)
    return tuple(f"{EXPERT}{key}" for key in keys)


def make_again(reflection: Reflection) -> None:
    """Request a product again, unless it is being made; its content stays until then.

    It leaves its batch, or its cost would be added to that. Call it in a transaction.
    """
    settled = Reflection.objects.filter(pk=reflection.pk).exclude(status=Job.Status.RUNNING)
    if settled.update(**ANEW, batch=None):
        drafts = Q(review=None) | Q(review__state=Judgement.State.DRAFT)
        names = followers(reflection.name)  # they are made again, too
        anew = Reflection.objects.filter(drafts, session=reflection.session_id, name__in=names)
        anew.update(batch=None)
        _job_type.enqueue_on_commit(reflection.pk)


@transaction.atomic
def run_again(reflection: Reflection) -> None:
    """Request a product again for a person. Raises IsReviewed if a judgement rests on it."""
    Reflection.objects.select_for_update().filter(pk=reflection.pk).first()  # it may be gone
    if review_of(reflection).state != Judgement.State.DRAFT:
        raise IsReviewed("It has been reviewed. Reopen it before you regenerate it.")
    make_again(reflection)


# -- the job


def _make_content(reflection: Reflection) -> dict[str, Any]:
    """Return the fields to store.

    Raises Cancelled for a withdrawn interview, RetryLater if the day's budget is spent and a model
    is needed, and what makers raise.
    """
    if reflection.session.status == SessionStatus.WITHDRAWN:
        raise Cancelled
    product = product_of(reflection.name)
    if product.tasks and product.name not in results_of(reflection.session).by_rules:
        wait_for_budget(reflection.session.bot)
    return {"content": product.make(reflection.session)}


def _follow(reflection: Reflection) -> None:
    """Request what follows a product, again if it exists already.

    Raises Cancelled if the interview was withdrawn while the product was made.
    """
    names = followers(reflection.name)
    there = Reflection.objects.filter(session_id=reflection.session_id, name__in=names)
    # Before the session, in the order of those who store or delete them, or both wait for ever.
    list(there.order_by("pk").select_for_update().values_list("pk"))
    if not lock_unless_gone(reflection.session_id):
        raise Cancelled
    for name in names:
        made, new = Reflection.objects.get_or_create(session_id=reflection.session_id, name=name)
        if new or _reset(made):
            _job_type.enqueue_on_commit(made.pk)
    _calibrate(reflection)


def _calibrate(reflection: Reflection) -> None:
    """Request a calibration once nothing else is being made of the interview.

    The interview is locked, so that of two last products the second sees the first as settled.
    """
    others = Reflection.objects.filter(session=reflection.session_id, status__in=UNDER_WAY)
    if lock_unless_gone(reflection.session_id) and not others.exists():
        calibrations.request_wanted(reflection.session)


def _given_up(reflection: Reflection) -> None:
    # For exports of changes, which see by its time what was finished.
    mark_changed(pk=reflection.session_id)
    _calibrate(reflection)


def _reset(reflection: Reflection) -> bool:
    """Set a product back to be made again, unless a judgement rests on it.

    A worker that is making it uses what was there before, and loses the claim.
    """
    Reflection.objects.select_for_update().get(pk=reflection.pk)
    if review_of(reflection).state != Judgement.State.DRAFT:
        return False
    return bool(Reflection.objects.filter(pk=reflection.pk).update(**ANEW))


_job_type = JobType(
    Reflection,
    _make_content,
    celery_task(TASK),
    blocked_reason,
    blockable=Q(name__startswith=EXPERT),
    after=_follow,
    given_up=_given_up,
)
make, sweep, enqueue = _job_type.run, _job_type.sweep, _job_type.enqueue
