from django.db import models
from django.db.models import Q

from interviews.models.session import Session


class Rating(models.Model):
    """A participant's rating of the interview, from 1 (not at all) to 5 (very much)."""

    session = models.OneToOneField(Session, on_delete=models.CASCADE, related_name="rating")
    heard = models.PositiveSmallIntegerField(null=True)  # felt listened to
    ease = models.PositiveSmallIntegerField(null=True)  # could say what they wanted to say
    at = models.DateTimeField()

    class Meta:
        ordering = ["-at"]
        default_permissions = ["view"]
        constraints = [
            models.CheckConstraint(
                condition=(Q(heard__isnull=True) | Q(heard__range=(1, 5)))
                & (Q(ease__isnull=True) | Q(ease__range=(1, 5))),
                name="rating_from_1_to_5",
            )
        ]

    def __str__(self) -> str:
        return f"{self.heard or '–'} / {self.ease or '–'}"
