from django.db import models

from plans.models.bot import Bot


class Plan(models.Model):
    """A bot as it was when a session began. Never changed; a changed bot gets a new one."""

    bot = models.ForeignKey(Bot, on_delete=models.SET_NULL, null=True, related_name="plans")
    number = models.PositiveIntegerField(help_text="The version of this bot: 1, 2, 3 …")
    signature = models.CharField(max_length=64)
    protocol = models.CharField(max_length=40)
    content = models.JSONField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["bot", "-number"]
        constraints = [
            models.UniqueConstraint(fields=["bot", "number"], name="plan_number_once_a_bot"),
            models.UniqueConstraint(fields=["bot", "signature"], name="plan_signature_once_a_bot"),
        ]

    def __str__(self) -> str:
        return f"{self.content.get('title', self.protocol)}, version {self.number}"
