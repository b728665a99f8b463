"""The wish for after-work, written in the transaction that ends an interview, or by a person."""

from functools import partial

from django.db import transaction
from django.db.models import Q, QuerySet

from interviews.models import Session
from interviews.protocols import PROTOCOLS
from interviews.words import ENDED, Role
from plans.jobs import ANEW, Job
from plans.kinds import read_by_experts
from reflections import work
from reflections.models import EXPERT, Expert, Judgement, Reflection
from reflections.products import FOLLOWING
from reflections.reports import own_products
from reflections.reviews import review_of


class IsReviewed(Exception):
    """A person's judgement rests on it, so it is not made anew."""


def interview_ended(session: Session) -> None:
    """Wishes for the products of a session that has ended, if anything was answered in it."""
    if not has_material(session):
        return
    for name in wanted(session):
        wish(session, name)


def has_material(session: Session) -> bool:
    """Whether it has ended and anything was answered in it."""
    answers = session.entries.filter(role=Role.PARTICIPANT).exclude(text="")
    return session.status in ENDED and answers.exists()


@transaction.atomic
def wish(session: Session, name: str) -> None:
    """Wishes for one product, unless it is there or wished for already."""
    row, new = Reflection.objects.get_or_create(session=session, name=name)
    if new:
        transaction.on_commit(partial(work.hand_out, row.pk))


def wanted(session: Session) -> tuple[str, ...]:
    """The products that are made of an interview: its protocol's, its bot's, its experts'."""
    products = PROTOCOLS[session.plan.protocol].products
    return (*products, *own_products(session), *_experts(session))


def _experts(session: Session) -> tuple[str, ...]:
    if session.bot is None or not read_by_experts(session.bot):
        return ()
    keys = Expert.objects.filter(active=True).values_list("key", flat=True)
    return tuple(f"{EXPERT}{key}" for key in keys)


def make_again(reflection: Reflection) -> None:
    """Wishes for it anew, unless it is being made; what is there stays until then.

    It leaves its batch, or what it costs would be added to that. To be called in a transaction.
    """
    settled = Reflection.objects.filter(pk=reflection.pk).exclude(status=Job.Status.RUNNING)
    if settled.update(**ANEW, batch=None):
        _following(reflection).update(batch=None)
        transaction.on_commit(partial(work.hand_out, reflection.pk))


def _following(reflection: Reflection) -> QuerySet[Reflection]:
    """What will be made anew because this is: not what a person's judgement rests on."""
    names = FOLLOWING.get(reflection.name, ())
    found = Reflection.objects.filter(session=reflection.session_id, name__in=names)
    return found.filter(Q(review=None) | Q(review__state=Judgement.State.DRAFT))


@transaction.atomic
def run_again(reflection: Reflection) -> None:
    """The same, at a person's wish. Raises IsReviewed while somebody's judgement rests on it."""
    Reflection.objects.select_for_update().filter(pk=reflection.pk).first()  # it may be gone
    if review_of(reflection).state != Judgement.State.DRAFT:
        raise IsReviewed("It is reviewed. Open it again before it is made anew.")
    make_again(reflection)
