"""What is made of an interview, and how far it is."""

from django.db import models

from interviews.models import Session
from plans.jobs import Job


class Reflection(Job):
    """One product of one interview. Made in the background, at least once, stored once."""

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="reflections")
    name = models.CharField(max_length=60)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["session", "id"]
        constraints = [
            *Job.Meta.constraints,
            models.UniqueConstraint(fields=["session", "name"], name="reflection_once_a_session"),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.status})"
