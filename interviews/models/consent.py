from django.db import models
from django.db.models import Q

from interviews.models.session import Session
from plans.models import Bot


class ConsentText(models.Model):
    """One version of a consent text, never changed; identified by its hash."""

    digest = models.CharField(max_length=64, unique=True)
    language = models.CharField(max_length=12)
    text = models.TextField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-created_at"]
        default_permissions = ["view"]

    def __str__(self) -> str:
        return self.version

    @property
    def version(self) -> str:
        return self.digest[:8]


class Consent(models.Model):
    """One person's choice. Nothing else is stored about those who declined."""

    class Decision(models.TextChoices):
        AGREED = "agreed", "Agreed"
        DECLINED = "declined", "Declined"

    bot = models.ForeignKey(Bot, on_delete=models.SET_NULL, null=True, related_name="consents")
    session = models.OneToOneField(
        Session, on_delete=models.CASCADE, null=True, related_name="consent"
    )
    text = models.ForeignKey(ConsentText, on_delete=models.PROTECT, related_name="consents")
    decision = models.CharField(max_length=10, choices=Decision)
    at = models.DateTimeField()
    preview = models.BooleanField(default=False)

    class Meta:
        ordering = ["-at"]
        default_permissions = ["view"]
        constraints = [
            models.CheckConstraint(
                condition=Q(decision="agreed", session__isnull=False)
                | Q(decision="declined", session__isnull=True),
                name="consent_of_a_session_or_none",
            )
        ]

    def __str__(self) -> str:
        return f"{self.decision} {self.at:%Y-%m-%d}"
