from django.db import models
from django.db.models import F, Q

from interviews.models.session import Session
from interviews.models.transcript import TranscriptEntry


class Fact(models.Model):
    """Something an answer revealed. People may reword it, or merge it into another fact."""

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="facts")
    entry = models.ForeignKey(TranscriptEntry, on_delete=models.CASCADE, related_name="facts")
    number = models.PositiveIntegerField()  # from 1 within the session
    text = models.TextField()
    original = models.TextField()  # as it was extracted
    question = models.CharField(max_length=80)  # backlog id of the question it answers
    confidence = models.FloatField()  # of the answer: 0.3, 0.6, 0.9
    source = models.CharField(max_length=20)  # model, fallback model, fallback, rules
    edited_by = models.CharField(max_length=150, blank=True)  # user name: accounts get deleted
    edited_at = models.DateTimeField(null=True)
    merged_into = models.ForeignKey(
        "self", on_delete=models.SET_NULL, null=True, blank=True, related_name="merged"
    )

    class Meta:
        ordering = ["session", "number"]
        constraints = [
            models.UniqueConstraint(fields=["session", "number"], name="fact_number_once"),
            models.CheckConstraint(
                condition=Q(merged_into=None) | ~Q(merged_into=F("id")),
                name="fact_is_not_merged_into_itself",
            ),
            models.CheckConstraint(
                condition=Q(edited_by="", edited_at=None)
                | ~Q(edited_by="") & Q(edited_at__isnull=False),
                name="fact_has_an_editor_iff_edited",
            ),
            models.CheckConstraint(
                condition=Q(confidence__gte=0, confidence__lte=1), name="fact_confidence_0_to_1"
            ),
        ]

    def __str__(self) -> str:
        return self.text[:80]
