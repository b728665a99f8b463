from django.db import models

from interviews.models import Session
from plans.jobs import Job
from plans.models import Bot


class Evaluation(models.Model):
    """Interviews of one bot with simulated participants, and the figures that came of them."""

    class Respondents(models.TextChoices):
        RULES = "rules", "By rules"
        MODEL = "model", "By a model"

    bot = models.ForeignKey(Bot, on_delete=models.SET_NULL, null=True, related_name="evaluations")
    name = models.CharField(max_length=60)
    respondents = models.CharField(max_length=10, choices=Respondents, default=Respondents.RULES)
    seed = models.PositiveIntegerField(default=1)
    judged = models.BooleanField(default=False)
    versions = models.JSONField(default=dict)  # of code, prompts, models and plan
    figures = models.JSONField(default=dict)  # once all interviews are over
    created_by = models.CharField(max_length=150, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-id"]
        default_permissions = ("add", "view", "delete")
        constraints = [
            models.UniqueConstraint(fields=["bot", "name"], name="evaluation_name_once_a_bot")
        ]

    def __str__(self) -> str:
        return self.name


class SimulatedInterview(Job):
    """One interview of an evaluation; its content is what was measured."""

    evaluation = models.ForeignKey(Evaluation, on_delete=models.CASCADE, related_name="interviews")
    persona = models.CharField(max_length=80)  # its key
    session = models.OneToOneField(
        Session, on_delete=models.SET_NULL, null=True, related_name="simulated"
    )

    class Meta:
        ordering = ["evaluation", "id"]
        default_permissions = ()
        constraints = [
            *Job.Meta.constraints,
            models.UniqueConstraint(
                fields=["evaluation", "persona"], name="persona_once_an_evaluation"
            ),
        ]

    def __str__(self) -> str:
        return self.persona
