from django.db import models

from interviews.models import Session
from plans.jobs import Job


class Calibration(Job):
    """One measurement of how well a replica of one participant answers."""

    class Method(models.TextChoices):
        HELD_OUT = "held_out", "Questions held out of the interview"
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
