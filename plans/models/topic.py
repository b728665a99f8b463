from django.db import models
from simple_history.models import HistoricalRecords

from plans.jobs import Job
from plans.models.bot import Bot


class Topic(models.Model):
    bot = models.ForeignKey(Bot, on_delete=models.CASCADE, related_name="topics")
    key = models.SlugField(
        max_length=60,
        help_text="Short name that identifies answers in exports. Don't change it once interviews "
        "have started.",
    )
    label = models.CharField(
        "topic",
        max_length=200,
        help_text="What it is about, in words that fit after “Let us turn to …”.",
    )
    position = models.PositiveIntegerField(default=0, db_index=True)
    history = HistoricalRecords()

    class Meta:
        ordering = ["position", "id"]
        constraints = [models.UniqueConstraint(fields=["bot", "key"], name="topic_key_once_a_bot")]

    def __str__(self) -> str:
        return self.label


class SubGoal(models.Model):
    topic = models.ForeignKey(Topic, on_delete=models.CASCADE, related_name="sub_goals")
    text = models.CharField(
        "sub-goal",
        max_length=300,
        help_text="A noun phrase that fits after “Could you tell me about …?”, such as “the moment "
        "you made up your mind”.",
    )
    question = models.CharField(
        max_length=500,
        blank=True,
        help_text="One open question in everyday words. Without a model it is asked exactly as "
        "written. Leave it empty to have a model draft it, if one is configured.",
    )
    position = models.PositiveIntegerField(default=0, db_index=True)
    history = HistoricalRecords()

    class Meta:
        ordering = ["position", "id"]

    def __str__(self) -> str:
        return self.text


class DataField(models.Model):
    """Something that the participant is asked for at the end, with consent."""

    class Kind(models.TextChoices):
        NAME = "name", "Name"
        EMAIL = "email", "E-mail address"
        PHONE = "phone", "Phone number"
        COMPANY = "company", "Company"
        ROLE = "role", "Role"
        FREE = "free", "Free text"

    bot = models.ForeignKey(Bot, on_delete=models.CASCADE, related_name="data_fields")
    key = models.SlugField(
        max_length=60, help_text="Short name, used as a column in the contact data file."
    )
    kind = models.CharField(
        max_length=10, choices=Kind, default=Kind.FREE, help_text="Decides how answers are checked."
    )
    label = models.CharField(
        "name",
        max_length=200,
        help_text="What the interviewer calls it, in the interview's language.",
    )
    position = models.PositiveIntegerField(default=0, db_index=True)
    history = HistoricalRecords()

    class Meta:
        ordering = ["position", "id"]
        constraints = [
            models.UniqueConstraint(fields=["bot", "key"], name="data_field_key_once_a_bot")
        ]

    def __str__(self) -> str:
        return self.label


class RewardCode(models.Model):
    """A code of a bot's pool; drawn once, by one session."""

    bot = models.ForeignKey(Bot, on_delete=models.CASCADE, related_name="reward_codes")
    code = models.CharField(max_length=200)
    drawn_for = models.UUIDField(null=True, blank=True, help_text="The session that got it.")
    drawn_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["bot", "code"], name="reward_code_once_a_bot"),
            models.UniqueConstraint(fields=["drawn_for"], name="one_reward_code_a_session"),
        ]

    def __str__(self) -> str:
        return self.code


class Intelligence(Job):
    """What a model prepares for a bot's topics; `signature` identifies what it is based on.

    The old content is used until the new one is ready.
    """

    bot = models.ForeignKey(Bot, on_delete=models.CASCADE, related_name="intelligence")
    signature = models.CharField(max_length=64)  # over topics, sub-goals, duration and goal
    edited = models.BooleanField(default=False)  # by an admin
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["-updated_at"]
        verbose_name = verbose_name_plural = "topic guides"
        constraints = [
            *Job.Meta.constraints,
            models.UniqueConstraint(fields=["bot", "signature"], name="intelligence_once_a_bot"),
        ]

    def __str__(self) -> str:
        return f"Topic guides of {self.bot}"
