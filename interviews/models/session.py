import uuid

from django.db import models
from django.db.models import Q

from interviews.choices import ACTIVE, SessionStatus
from interviews.models.invitation import Invitation
from interviews.models.participant import Participant
from plans.models import Bot, Plan


class Session(models.Model):
    """One participant's interview with one bot. What was said is in its entries."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    bot = models.ForeignKey(Bot, on_delete=models.SET_NULL, null=True, related_name="sessions")
    plan = models.ForeignKey(Plan, on_delete=models.PROTECT, related_name="sessions")
    participant = models.ForeignKey(
        Participant, on_delete=models.PROTECT, null=True, related_name="sessions"
    )
    invitation = models.ForeignKey(
        Invitation, on_delete=models.SET_NULL, null=True, blank=True, related_name="sessions"
    )
    title = models.CharField(max_length=200)  # the bot's, as the participant saw it
    host = models.CharField(max_length=200, blank=True)
    language = models.CharField(max_length=12, default="en")
    language_source = models.CharField(  # how it was chosen; empty for API and previews
        max_length=10,
        blank=True,
        choices=[(one, one) for one in ("choice", "link", "browser", "answers", "bot")],
    )
    status = models.CharField(
        max_length=20, choices=SessionStatus, default=SessionStatus.INTRO, db_index=True
    )
    state = models.JSONField(default=dict)  # the protocol's state, typed there
    sequence = models.PositiveIntegerField(default=0)  # raised by every visible change
    length = models.PositiveIntegerField(default=0)  # entries so far
    turn_count = models.PositiveIntegerField(default=0)
    progress = models.JSONField(default=dict)  # current, total, unit: as of the last turn
    params = models.JSONField(default=dict, blank=True)  # from the link, returned at the end
    start_answers = models.JSONField(default=dict, blank=True)  # a start field's key -> text
    reward = models.JSONField(default=dict, blank=True)  # kind, code, url; empty: none
    collects_paradata = models.BooleanField(default=False)  # the bot's setting at the start
    preview = models.BooleanField(default=False)
    synthetic = models.BooleanField(default=False)
    flagged = models.BooleanField(default=False, db_index=True)  # signs of distress
    flagged_at = models.DateTimeField(null=True, blank=True)  # the latest sign
    started_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)
    paused_at = models.DateTimeField(null=True, blank=True)
    pause_wanted = models.BooleanField(default=False)  # requested while the interviewer spoke
    away_seconds = models.FloatField(default=0)  # paused since the last utterance
    away_total = models.FloatField(default=0)  # paused in all

    class Meta:
        ordering = ["-started_at"]
        permissions = [
            ("export_session", "Can export interviews"),
            ("view_observations", "Can view what was judged of answers"),
        ]
        indexes = [
            models.Index(fields=["bot", "started_at"]),
            models.Index(fields=["started_at"], name="session_started_at"),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["participant", "bot"],
                condition=Q(status__in=[str(s) for s in ACTIVE]),
                name="one_active_session_per_participant_and_bot",
            ),
            models.CheckConstraint(
                condition=Q(status__in=[str(s) for s in SessionStatus]),
                name="session_status_is_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{str(self.id)[:8]} ({self.status})"

    @property
    def is_active(self) -> bool:
        return self.status in ACTIVE
