"""How an answer came about: times and counts, never keys."""

from django.db import models

from interviews.models.transcript import TranscriptEntry


class Paradata(models.Model):
    """Of one answer. Milliseconds; a measure that the browser didn't bring is empty."""

    entry = models.OneToOneField(TranscriptEntry, on_delete=models.CASCADE, related_name="paradata")
    response_ms = models.PositiveIntegerField(null=True)  # server: question shown -> received
    first_key_ms = models.PositiveIntegerField(null=True)  # page: question shown -> first key
    edits = models.PositiveIntegerField(null=True)  # deletions and replacements
    pastes = models.PositiveIntegerField(null=True)
    pasted_characters = models.PositiveIntegerField(null=True)
    focus_losses = models.PositiveIntegerField(null=True)  # the page was left for another
    away_ms = models.PositiveIntegerField(null=True)  # and for how long
    dictated = models.BooleanField(null=True)  # some of it came by voice

    class Meta:
        ordering = ["entry"]
        default_permissions = ["view"]
        verbose_name_plural = "paradata"

    def __str__(self) -> str:
        return f"Paradata of entry {self.entry_id}"
