"""Reviewing: a person accepts, amends or rejects a product, or opens it again.

ReviewError
    Stale      somebody else has reviewed it meanwhile, or it was made again
    NotThere   there is nothing to review yet
"""

from dataclasses import dataclass, field
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from plans.jobs import Job
from reflections.models import Judgement, Reflection, Review, ReviewStep

State = Judgement.State
FINAL = (State.ACCEPTED, State.AMENDED)


class ReviewError(Exception):
    """It can't be reviewed so; the text says why."""


class Stale(ReviewError):
    """Somebody else has reviewed it meanwhile, or it was made again."""


class NothingToReview(ReviewError):
    """There is nothing to review yet."""


@dataclass(frozen=True)
class Opinion:
    """What a reviewer says."""

    state: State
    comment: str = ""
    content: dict[str, Any] = field(default_factory=dict)  # as amended
    made: str = ""  # when what was read was made; empty where nobody knows


def review_of(reflection: Reflection) -> Review:
    """How it is judged now; one that is not stored where nobody has looked at it yet."""
    found = Review.objects.filter(reflection=reflection).first()
    return found or Review(reflection=reflection)


def made_when(reflection: Reflection) -> str:
    """When the content was made, to tell it from a later one."""
    return reflection.finished_at.isoformat() if reflection.finished_at else ""


@transaction.atomic
def judge(reflection: Reflection, opinion: Opinion, reviewer: str, version: int) -> Review:
    """Stores an opinion on what was read at that version of the review.

    Raises Stale or NotThere, and then nothing is changed.
    """
    made = Reflection.objects.select_for_update().filter(pk=reflection.pk).first()
    if made is None or made.status != Job.Status.READY:
        raise NothingToReview("It is being made. Look at it again when it is ready.")
    if opinion.made and opinion.made != made_when(made):
        raise Stale("It was made again after you opened this page.")
    review, _ = Review.objects.get_or_create(reflection=made)
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
        raise Stale(_meanwhile(review))
    review.refresh_from_db()
    _remember(review, reviewer, now)
    return review


def final(reflection: Reflection, review: Review) -> dict[str, Any] | None:
    """The content that may leave as final: amended, or accepted as it was made; else None."""
    if review.state == State.AMENDED:
        amended: dict[str, Any] = review.content
        return amended
    if review.state != State.ACCEPTED:
        return None
    content: dict[str, Any] = reflection.content
    return content


def _remember(review: Review, reviewer: str, at: Any) -> None:
    ReviewStep.objects.create(
        review=review,
        state=review.state,
        comment=review.comment,
        content=review.content,
        reviewer=reviewer,
        at=at,
    )


def _meanwhile(review: Review) -> str:
    who = review.steps.order_by("-id").values_list("reviewer", flat=True).first() or "Somebody"
    return f"{who} has reviewed it meanwhile ({review.get_state_display().lower()})."
