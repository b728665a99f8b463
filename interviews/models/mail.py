from django.db import models
from django.db.models import Q

from interviews.models.exports import ExportFile
from interviews.models.participant import Invitation
from interviews.models.session import Session
from plans.jobs import Job


class Mail(Job):
    """An e-mail to one address. Its text is written when it is sent, and not stored."""

    class Kind(models.TextChoices):
        ALERT = "alert", "Signs of distress"
        INVITATION = "invitation", "Invitation"
        REMINDER = "reminder", "Reminder"
        EXPORT = "export", "Export ready"

    kind = models.CharField(max_length=12, choices=Kind)
    session = models.ForeignKey(Session, on_delete=models.CASCADE, null=True, related_name="mails")
    invitation = models.ForeignKey(
        Invitation, on_delete=models.CASCADE, null=True, related_name="mails"
    )
    export = models.ForeignKey(
        ExportFile, on_delete=models.CASCADE, null=True, related_name="mails"
    )
    to = models.EmailField()
    number = models.PositiveSmallIntegerField(default=0)  # of the reminder, or of the sign
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta(Job.Meta):
        ordering = ["-created_at"]
        verbose_name = "e-mail"
        constraints = [
            *Job.Meta.constraints,
            models.UniqueConstraint(
                fields=["kind", "session", "to", "number"], name="one_alert_an_address_and_sign"
            ),
            models.UniqueConstraint(
                fields=["kind", "invitation", "number"], name="one_letter_a_kind_and_number"
            ),
            models.CheckConstraint(
                condition=Q(session__isnull=False)
                | Q(invitation__isnull=False)
                | Q(export__isnull=False),
                name="letter_is_about_something",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} {self.pk}"
