import uuid

from django.conf import settings
from django.db import models

from plans.jobs import Job
from plans.models import Bot


class Webhook(models.Model):
    """An address that is told what happens in interviews that its user may see."""

    class Event(models.TextChoices):
        BEGUN = "interview.begun", "Interview begun"
        COMPLETED = "interview.completed", "Interview completed"
        STOPPED = "interview.stopped", "Interview stopped"
        FLAGGED = "interview.flagged", "Signs of distress"
        WITHDRAWN = "interview.withdrawn", "Interview withdrawn"
        EXPORTED = "data.exported", "Data exported"

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="webhooks"
    )
    name = models.CharField(max_length=60)
    url = models.URLField("address", max_length=500)
    bot = models.ForeignKey(
        Bot,
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="+",
        help_text="Leave empty for all bots.",
    )
    events = models.JSONField(default=list)
    secret = models.TextField()  # sealed
    is_active = models.BooleanField("active", default=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


class WebhookDelivery(Job):
    """One event for one webhook. Its content is what the address answered."""

    key = models.UUIDField(default=uuid.uuid4, unique=True)
    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="deliveries")
    event = models.CharField(max_length=40, choices=Webhook.Event)
    data = models.JSONField()  # nothing that was said
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta(Job.Meta):
        ordering = ["-created_at", "-id"]
        default_permissions = ["view"]
        verbose_name_plural = "webhook deliveries"

    def __str__(self) -> str:
        return f"{self.get_event_display()} for {self.webhook}"
