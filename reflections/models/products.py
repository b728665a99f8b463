from typing import Any

from django.db import models

from interviews.models import Session
from plans.jobs import Job
from plans.models import Bot

TITLES: dict[str, str] = {}  # of products whose names don't say it; filled at start
EXPERT = "expert:"  # what the names of experts' reflections begin with, before the expert's key


class Batch(models.Model):
    """Products requested at once over a bot's interviews; its reflections tell its progress."""

    bot = models.ForeignKey(Bot, on_delete=models.SET_NULL, null=True, related_name="batches")
    products = models.JSONField(default=list)  # names
    which = models.CharField(max_length=15, default="missing")  # interviews
    synthetic = models.BooleanField(default=False)
    previews = models.BooleanField(default=False)
    complete = models.BooleanField(default=True)  # all of it was requested
    estimate = models.DecimalField(max_digits=12, decimal_places=4, null=True)  # None: no price
    created_by = models.CharField(max_length=150)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-id"]
        verbose_name_plural = "batches"
        default_permissions = ()  # the rights are those of reflections

    def __str__(self) -> str:
        return f"Batch {self.pk}"


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


class Calibration(Job):
    """One measurement of how well a replica of one participant answers."""

    class Method(models.TextChoices):
        HELD_OUT = "held_out", "Held-out questions"
        QUESTIONNAIRE = "questionnaire", "Questionnaire"

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="calibrations")
    method = models.CharField(max_length=15, choices=Method)
    options = models.JSONField(default=dict)  # typed in reflections.calibration
    created_by = models.CharField(max_length=150, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["session", "-id"]
        constraints = [
            *Job.Meta.constraints,
            models.CheckConstraint(
                condition=models.Q(method__in=["held_out", "questionnaire"]),
                name="calibration_method_is_known",
            ),
        ]

    def __str__(self) -> str:
        return f"Calibration of {str(self.session_id)[:8]}"
