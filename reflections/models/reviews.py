from typing import Any

from django.db import models
from django.db.models import Q

from reflections.models.products import Reflection
from reflections.models.themes import StudyReport

Reviewed = Reflection | StudyReport


class Judgement(models.Model):
    """What a person says of a product. Their name is a copy: accounts go, this stays."""

    class State(models.TextChoices):
        DRAFT = "draft", "Not reviewed"
        ACCEPTED = "accepted", "Accepted"
        AMENDED = "amended", "Amended"
        REJECTED = "rejected", "Rejected"

    state = models.CharField(max_length=10, choices=State, default=State.DRAFT)
    comment = models.TextField(blank=True)
    content = models.JSONField(default=dict, blank=True)  # as amended; the original stays

    class Meta:
        abstract = True


class Review(Judgement):
    """The current judgement of a product. Without a row nobody has reviewed it yet."""

    reflection = models.OneToOneField(
        Reflection, on_delete=models.CASCADE, null=True, related_name="review"
    )
    report = models.OneToOneField(
        StudyReport, on_delete=models.CASCADE, null=True, related_name="review"
    )
    reviewer = models.CharField(max_length=150, blank=True)
    reviewed_at = models.DateTimeField(null=True)
    version = models.PositiveIntegerField(default=0)  # raised by every change

    class Meta:
        default_permissions = ()  # the right to review is the product's
        constraints = [
            models.CheckConstraint(
                condition=Q(reflection=None, report__isnull=False)
                | Q(reflection__isnull=False, report=None),
                name="review_is_of_one_product",
            ),
            models.CheckConstraint(
                condition=Q(state="draft", reviewer="", reviewed_at=None)
                | ~Q(state="draft") & ~Q(reviewer="") & Q(reviewed_at__isnull=False),
                name="review_has_a_reviewer_iff_no_draft",
            ),
            models.CheckConstraint(
                condition=Q(state="amended") & ~Q(content={}) | ~Q(state="amended") & Q(content={}),
                name="review_has_content_iff_amended",
            ),
            models.CheckConstraint(
                condition=Q(state__in=[str(s) for s in Judgement.State]),
                name="review_state_is_known",
            ),
        ]

    def __str__(self) -> str:
        return self.get_state_display()

    @classmethod
    def link(cls, product: Reviewed) -> dict[str, Any]:
        """Return the field that points to the product, with it."""
        return {"report" if isinstance(product, StudyReport) else "reflection": product}


class ReviewStep(Judgement):
    """One judgement that was made: nothing that a reviewer said is lost."""

    review = models.ForeignKey(Review, on_delete=models.CASCADE, related_name="steps")
    reviewer = models.CharField(max_length=150)
    at = models.DateTimeField()

    class Meta:
        default_permissions = ()
        ordering = ["review", "id"]

    def __str__(self) -> str:
        return f"{self.get_state_display()} by {self.reviewer}"
