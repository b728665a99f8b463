from typing import Any

from django.db import models

from interviews.models import Session
from plans.jobs import Job
from reflections.models.batches import Batch

TITLES: dict[str, str] = {}  # of products whose names don't say it; filled at start
EXPERT = "expert:"  # what the names of experts' reflections begin with, before the expert's key


class Reflection(Job):
    """One product of one interview, made in the background and stored once."""

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="reflections")
    name = models.CharField(max_length=60)
    created_at = models.DateTimeField(auto_now_add=True)
    batch = models.ForeignKey(  # the last that requested it
        Batch, on_delete=models.SET_NULL, null=True, related_name="reflections"
    )

    class Meta:
        ordering = ["session", "id"]
        permissions = [("review_reflection", "Can review reflections")]
        constraints = [
            *Job.Meta.constraints,
            models.UniqueConstraint(fields=["session", "name"], name="reflection_once_a_session"),
        ]

    def __str__(self) -> str:
        return f"{self.title} of {str(self.session_id)[:8]}"

    @property
    def title(self) -> str:
        if self.name.startswith(EXPERT):
            return _expert_title(self.name, self.content)
        return TITLES.get(self.name) or self.name.replace("_", " ").capitalize()


def _expert_title(name: str, content: dict[str, Any]) -> str:
    # the name as it was when the reflection was made; until then, the key in words
    known = content.get("expert") or {}
    plain = name.removeprefix(EXPERT).replace("_", " ").replace("-", " ").capitalize()
    return f"Reflection: {known.get('name') or plain}"
