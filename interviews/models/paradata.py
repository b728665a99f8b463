from django.db import models

from interviews.models.transcript import TranscriptEntry


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
