from django.db import models
from django.db.models import Q

from interviews.choices import EntryKind, SpeakerRole
from interviews.models.session import Session
from interviews.models.turn import Turn


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
