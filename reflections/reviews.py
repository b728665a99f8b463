"""A person accepts, amends or rejects a product, or opens it again."""

from dataclasses import dataclass, field
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from plans.jobs import Job
from reflections.models import Judgement, Review, Reviewed, ReviewStep

State = Judgement.State
FINAL = (State.ACCEPTED, State.AMENDED)


class Stale(Exception):
    """The product was reviewed by somebody else, or is made again, since it was opened."""


@dataclass(frozen=True)
class Opinion:
    state: State
    comment: str = ""
    content: dict[str, Any] = field(default_factory=dict)  # as amended
    made: str = ""  # when what was read was made; empty where nobody knows


def review_of(product: Reviewed) -> Review:
    """Return the product's review; an unsaved one if nobody has reviewed it yet."""
    link = Review.link(product)
    return Review.objects.filter(**link).first() or Review(**link)


def made_when(product: Reviewed) -> str:
    return product.finished_at.isoformat() if product.finished_at else ""


@transaction.atomic
def judge(product: Reviewed, opinion: Opinion, reviewer: str, version: int) -> Review:
    """Store an opinion formed at that version of the review.

    Raises Stale, and then nothing is changed.
    """
    rows = type(product)._default_manager.select_for_update()
    current = rows.filter(pk=product.pk).first()
    if current is None or current.status != Job.Status.READY:
        raise Stale("It is in progress. Come back when it is ready.")
    if opinion.made and opinion.made != made_when(current):
        raise Stale("It was regenerated after you opened this page.")
    review, _ = Review.objects.get_or_create(**Review.link(current))
    drafted = opinion.state == State.DRAFT
    now = timezone.now()
    won = Review.objects.filter(pk=review.pk, version=version).update(
        state=opinion.state,
        comment=opinion.comment,
        content=opinion.content if opinion.state == State.AMENDED else {},
        reviewer="" if drafted else reviewer,
        reviewed_at=None if drafted else now,
        version=F("version") + 1,
    )
    if not won:
        last = review.steps.order_by("-id").values_list("reviewer", flat=True).first()
        state = review.get_state_display().lower()
        raise Stale(f"{last or 'Somebody'} has reviewed it in the meantime ({state}).")
    review.refresh_from_db()
    ReviewStep.objects.create(
        review=review,
        state=review.state,
        comment=review.comment,
        content=review.content,
        reviewer=reviewer,
        at=now,
    )
    return review


def final(product: Reviewed, review: Review) -> dict[str, Any] | None:
    """Return the content that may be published: amended, or accepted as made; else None."""
    contents = {State.AMENDED: review.content, State.ACCEPTED: product.content}
    return contents.get(State(review.state))
