from django.db import models
from django.db.models import Q

from interviews.models.session import Session


class Turn(models.Model):
    """One answer and all that follows from it, up to the interviewer's next utterance.

    Claimed by a lease while it runs; afterwards the trace of what was read and decided.
    """

    class Status(models.TextChoices):
        RUNNING = "running", "Running"
        DONE = "done", "Done"

    class Trigger(models.TextChoices):
        OPENING = "opening", "Opening"
        ANSWER = "user_answer", "Answer"
        SKIP = "skip", "Skip"
        STOP = "stop", "Stop"

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="turns")
    number = models.PositiveIntegerField()
    trigger = models.CharField(max_length=20, choices=Trigger, default=Trigger.ANSWER)
    message_id = models.CharField(max_length=64)
    status = models.CharField(max_length=10, choices=Status, default=Status.RUNNING)
    # a confidential answer, sealed, until the turn is done
    sealed = models.TextField(null=True)  # noqa: DJ001
    received_at = models.DateTimeField()
    away_seconds = models.FloatField(default=0)  # paused between the question and the answer
    spoken_at = models.DateTimeField(null=True, blank=True)
    lease_owner = models.UUIDField(null=True)
    lease_until = models.DateTimeField(null=True, db_index=True)
    attempts = models.PositiveSmallIntegerField(default=1)
    readings = models.JSONField(default=dict)  # what models and rules read: enough to replay
    decision = models.JSONField(default=dict)  # the result and why
    source = models.CharField(max_length=20, blank=True)  # who spoke: model, fallback model, …
    first_word_ms = models.PositiveIntegerField(null=True)
    total_ms = models.PositiveIntegerField(null=True)

    class Meta:
        ordering = ["session", "number"]
        constraints = [
            models.UniqueConstraint(
                fields=["session", "number"], name="turn_number_once_a_session"
            ),
            models.UniqueConstraint(
                fields=["session", "message_id"], name="one_turn_per_message_id"
            ),
            models.UniqueConstraint(
                fields=["session"], condition=Q(status="running"), name="one_running_turn_a_session"
            ),
            models.CheckConstraint(
                condition=Q(status="done") | Q(lease_owner__isnull=False),
                name="running_turn_has_an_owner",
            ),
        ]

    def __str__(self) -> str:
        return f"Turn {self.number}"
