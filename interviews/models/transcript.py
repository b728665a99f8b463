from django.db import models
from django.db.models import Q

from interviews.choices import EntryKind, SpeakerRole
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
    # how much effort the answer shows; signs are null if it was never rated (before 0.1)
    effort_score = models.FloatField(null=True)
    effort_signs = models.CharField(max_length=80, null=True)  # noqa: DJ001

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


class TranscriptEntry(models.Model):
    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="entries")
    turn = models.ForeignKey(Turn, on_delete=models.CASCADE, related_name="entries")
    slot = models.PositiveSmallIntegerField()  # 0: the participant's; 1, 2 …: the reply's parts
    position = models.PositiveIntegerField()
    at = models.DateTimeField()
    role = models.CharField(max_length=12, choices=SpeakerRole)
    kind = models.CharField(max_length=20, choices=EntryKind)
    text = models.TextField(blank=True)
    question = models.CharField(max_length=80, blank=True)  # the question's or topic's key
    number = models.PositiveIntegerField(null=True)  # the question's, where questions are counted
    # the client's; the interviewer's entries have none
    message_id = models.CharField(max_length=64, null=True)  # noqa: DJ001

    class Meta:
        ordering = ["session", "position"]
        verbose_name_plural = "transcript entries"
        constraints = [
            models.UniqueConstraint(fields=["session", "position"], name="entry_position_once"),
            models.UniqueConstraint(fields=["turn", "slot"], name="one_reply_per_answer"),
            models.CheckConstraint(
                condition=Q(role="interviewer") | Q(message_id__isnull=False),
                name="participants_entry_has_a_message_id",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.position}. {self.text[:60]}"


class Note(models.Model):
    """Something learned about the participant, with the entry it comes from."""

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="notes")
    key = models.CharField(max_length=80)
    text = models.TextField()
    entry = models.ForeignKey(TranscriptEntry, on_delete=models.CASCADE, related_name="notes")

    class Meta:
        ordering = ["session", "id"]
        constraints = [
            models.UniqueConstraint(fields=["session", "key"], name="note_key_once_a_session")
        ]

    def __str__(self) -> str:
        return f"{self.key}: {self.text}"


class Paradata(models.Model):
    """How one answer was written: times in milliseconds and counts, null if not measured."""

    entry = models.OneToOneField(TranscriptEntry, on_delete=models.CASCADE, related_name="paradata")
    response_ms = models.PositiveIntegerField(null=True)  # server: question shown -> received
    first_key_ms = models.PositiveIntegerField(null=True)  # page: question shown -> first key
    edits = models.PositiveIntegerField(null=True)  # deletions and replacements
    pastes = models.PositiveIntegerField(null=True)
    pasted_characters = models.PositiveIntegerField(null=True)
    focus_losses = models.PositiveIntegerField(null=True)  # times the page was left
    away_ms = models.PositiveIntegerField(null=True)  # time on other pages
    dictated = models.BooleanField(null=True)  # at least in part

    class Meta:
        ordering = ["entry"]
        default_permissions = ["view"]
        verbose_name_plural = "paradata"

    def __str__(self) -> str:
        return f"Paradata of entry {self.entry_id}"
