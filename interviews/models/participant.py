import uuid

from django.db import models


class Participant(models.Model):
    """A person who is interviewed, without an account."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(max_length=200, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return self.name or f"Participant {str(self.id)[:8]}"


class AccessKey(models.Model):
    """A 128-bit secret that opens a participant's sessions; only its hash is stored.

    With a session it is that session's token (link, API); without, a browser's cookie.
    """

    digest = models.CharField(max_length=64, unique=True)
    participant = models.ForeignKey(Participant, on_delete=models.CASCADE, related_name="keys")
    session = models.ForeignKey(
        "interviews.Session", on_delete=models.CASCADE, null=True, related_name="keys"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return f"Key of {self.participant_id}"
