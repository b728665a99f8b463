"""What the tables of products share: the right to export them, and columns on reviews."""

from datetime import datetime
from typing import Annotated, NamedTuple

from reflections.models import Judgement, Reflection, Review
from reflections.reviews import FINAL

RIGHT = "reflections.view_reflection"
STATES = {str(value): str(label).lower() for value, label in Judgement.State.choices}
UNREVIEWED = {"draft": "no person has judged it yet"}


class ReviewColumns(NamedTuple):
    final: Annotated[bool, "Whether a person has accepted or amended it. Only then may it be used."]
    review: Annotated[str, "How it was reviewed.", STATES | UNREVIEWED]
    reviewer: Annotated[str, "Who reviewed it last."]
    reviewed_at: Annotated[datetime | None, "When (UTC)."]
    comment: Annotated[str, "What the reviewer said."]


def loaded_review(reflection: Reflection) -> Review:
    return getattr(reflection, "review", None) or Review(reflection=reflection)


def review_columns(review: Review) -> ReviewColumns:
    final = review.state in FINAL
    return ReviewColumns(final, review.state, review.reviewer, review.reviewed_at, review.comment)
