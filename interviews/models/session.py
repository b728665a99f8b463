import uuid
from datetime import datetime

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from interviews.choices import ACTIVE, ENDED, SessionStatus
from interviews.models.participant import Invitation, Participant
from plans.models import Bot, ExperimentArm, Plan


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
    language_source = models.CharField(  # how it was chosen; empty where a program named it
        max_length=10,
        blank=True,
        choices=[(one, one) for one in ("choice", "link", "browser", "answers", "bot")],
    )
    # of the start form that began it, so that pressing twice begins it once
    start_key = models.CharField(max_length=36, null=True, unique=True)  # noqa: DJ001
    status = models.CharField(
        max_length=20, choices=SessionStatus, default=SessionStatus.INTRO, db_index=True
    )
    # once the interview has ended and is asked for contact data: as the status, of that part
    contact_status = models.CharField(max_length=20, blank=True, choices=SessionStatus)
    state = models.JSONField(default=dict)  # the protocol's state, typed there
    sequence = models.PositiveIntegerField(default=0)  # raised by every visible change
    length = models.PositiveIntegerField(default=0)  # entries so far
    turn_count = models.PositiveIntegerField(default=0)
    progress = models.JSONField(default=dict)  # current, total, unit: as of the last turn
    params = models.JSONField(default=dict, blank=True)  # from the link, returned at the end
    start_answers = models.JSONField(default=dict, blank=True)  # a start field's key -> text
    cell = models.CharField(max_length=60, blank=True)  # name of the quota cell it counts in
    reward = models.JSONField(default=dict, blank=True)  # kind, code, url; empty: none
    collects_paradata = models.BooleanField(default=False)  # the bot's setting at the start
    preview = models.BooleanField(default=False)
    synthetic = models.BooleanField(default=False)
    flagged = models.BooleanField(default=False, db_index=True)  # signs of distress
    flagged_at = models.DateTimeField(null=True, blank=True)  # the latest sign
    started_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)
    changed_at = models.DateTimeField(default=timezone.now, db_index=True)  # with the sequence
    paused_at = models.DateTimeField(null=True, blank=True)
    pause_wanted = models.BooleanField(default=False)  # requested while the interviewer spoke
    away_seconds = models.FloatField(default=0)  # paused since the last utterance
    away_total = models.FloatField(default=0)  # paused in all

    class Meta:
        ordering = ["-started_at"]
        permissions = [
            ("export_session", "Can export interviews"),
            ("view_observations", "Can view judgements of answers"),
        ]
        indexes = [
            models.Index(fields=["bot", "started_at"]),
            models.Index(fields=["started_at"], name="session_started_at"),
            models.Index(fields=["bot", "cell"], name="session_cell", condition=~Q(cell="")),
            models.Index(fields=["bot"], name="session_flagged", condition=Q(flagged=True)),
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
        return f"{str(self.id)[:8]} ({self.get_status_display()})"

    @property
    def is_active(self) -> bool:
        """Whether something may be said: also after the end, while contact data is asked for."""
        return self.dialogue_status in ACTIVE

    @property
    def dialogue_status(self) -> str:
        """Return the status as participants see it: active while contact data is asked for."""
        return (self.status in ENDED and self.contact_status) or self.status

    def with_dialogue(self, status: str) -> dict[str, str]:
        """Return the field that holds the dialogue's status, set to this one."""
        return {"contact_status" if self.status in ENDED else "status": status}

    def minutes_until(self, last: datetime) -> float:
        """Return the minutes until the last utterance, without the pauses before it."""
        paused = self.away_total - self.away_seconds
        return max(0.0, (last - self.started_at).total_seconds() - paused) / 60


class ConsentText(models.Model):
    """One version of a consent text, never changed; identified by its hash."""

    digest = models.CharField(max_length=64, unique=True)
    language = models.CharField(max_length=12)
    text = models.TextField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-created_at"]
        default_permissions = ["view"]

    def __str__(self) -> str:
        return self.version

    @property
    def version(self) -> str:
        return self.digest[:8]


class Consent(models.Model):
    """One person's choice. Nothing else is stored about those who declined."""

    class Decision(models.TextChoices):
        AGREED = "agreed", "Agreed"
        DECLINED = "declined", "Declined"

    bot = models.ForeignKey(Bot, on_delete=models.SET_NULL, null=True, related_name="consents")
    session = models.OneToOneField(
        Session, on_delete=models.CASCADE, null=True, related_name="consent"
    )
    text = models.ForeignKey(ConsentText, on_delete=models.PROTECT, related_name="consents")
    decision = models.CharField(max_length=10, choices=Decision)
    at = models.DateTimeField()
    preview = models.BooleanField(default=False)

    class Meta:
        ordering = ["-at"]
        default_permissions = ["view"]
        constraints = [
            models.CheckConstraint(
                condition=Q(decision="agreed", session__isnull=False)
                | Q(decision="declined", session__isnull=True),
                name="consent_of_a_session_or_none",
            )
        ]

    def __str__(self) -> str:
        return f"{self.decision} {self.at:%Y-%m-%d}"


class CollectedValue(models.Model):
    """A value given in confidence; its key is that of the bot's data field."""

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="collected")
    key = models.CharField(max_length=60)
    value = models.TextField()  # sealed
    created_at = models.DateTimeField()

    class Meta:
        ordering = ["session", "id"]
        default_permissions = ["view"]
        constraints = [
            models.UniqueConstraint(
                fields=["session", "key"], name="collected_value_once_a_session"
            )
        ]

    def __str__(self) -> str:
        return self.key


class Rating(models.Model):
    """A participant's rating of the interview, from 1 (not at all) to 5 (very much)."""

    session = models.OneToOneField(Session, on_delete=models.CASCADE, related_name="rating")
    heard = models.PositiveSmallIntegerField(null=True)  # felt listened to
    ease = models.PositiveSmallIntegerField(null=True)  # could say what they wanted to say
    at = models.DateTimeField()

    class Meta:
        ordering = ["-at"]
        default_permissions = ["view"]
        constraints = [
            models.CheckConstraint(
                condition=(Q(heard__isnull=True) | Q(heard__range=(1, 5)))
                & (Q(ease__isnull=True) | Q(ease__range=(1, 5))),
                name="rating_from_1_to_5",
            )
        ]

    def __str__(self) -> str:
        return f"{self.heard or '–'} / {self.ease or '–'}"


class DistressReview(models.Model):
    """A person has looked at a flagged interview. A later sign asks for another look."""

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="looks")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    by = models.CharField(max_length=150)  # user name: accounts get deleted
    note = models.TextField(blank=True)
    at = models.DateTimeField()

    class Meta:
        ordering = ["at"]
        db_table = "interviews_look"
        default_permissions = []
        permissions = [("add_look", "Can review signs of distress")]

    def __str__(self) -> str:
        return f"{self.by}, {self.at:%Y-%m-%d %H:%M}"


class Assignment(models.Model):
    """The arm an interview was sent to, and its place in the order of its stratum.

    A place is free again once its interview is neither completed nor alive, so that places may be
    held several times, one after the other. Retention leaves the places of completed interviews
    taken, without an interview.
    """

    session = models.OneToOneField(
        Session, on_delete=models.CASCADE, null=True, related_name="assignment"
    )
    arm = models.ForeignKey(ExperimentArm, on_delete=models.CASCADE, related_name="assignments")
    stratum = models.CharField(max_length=600, blank=True)
    place = models.PositiveIntegerField()

    class Meta:
        default_permissions = ["view"]
        indexes = [models.Index(fields=["arm", "stratum"], name="assignment_of_stratum")]

    def __str__(self) -> str:
        return f"{self.arm}: place {self.place}"
