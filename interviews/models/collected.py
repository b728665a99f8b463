from django.db import models

from interviews.models.session import Session


class CollectedValue(models.Model):
    """A value given in confidence; its key is that of the bot's data field."""

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="collected")
    key = models.CharField(max_length=60)
    value = models.TextField()  # sealed
    created_at = models.DateTimeField()

    class Meta:
        ordering = ["session", "id"]
        default_permissions = ["view"]
        constraints = [
            models.UniqueConstraint(
                fields=["session", "key"], name="collected_value_once_a_session"
            )
        ]

    def __str__(self) -> str:
        return self.key
