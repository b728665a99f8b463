from django.core.validators import MaxValueValidator, MinValueValidator, RegexValidator
from django.db import models
from simple_history.models import HistoricalRecords

DEFAULT_BLOCK_SECONDS = 300
LANGUAGE_TAG = r"^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$"
validate_language = RegexValidator(LANGUAGE_TAG, "Use a language tag such as en, it, ru or pt-BR.")


class Script(models.Model):
    name = models.CharField(
        max_length=200, help_text="For you and your colleagues; participants never see it."
    )
    language = models.CharField(
        max_length=12,
        default="en",
        validators=[validate_language],
        help_text="Tag of the language that all texts in it are written in, such as en, it or ru.",
    )
    intro = models.TextField(
        help_text="Said first, before any question. {participant_name} stands for the "
        "participant's name. Say that the interviewer is an AI, and that skipping is fine."
    )
    outro = models.TextField(
        help_text="Said last. It thanks and asks nothing, since nobody reads a reply to it."
    )
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)
    history = HistoricalRecords()

    class Meta:
        ordering = ["name", "language"]
        constraints = [
            models.UniqueConstraint(fields=["name", "language"], name="script_name_once_a_language")
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.language})"


class Section(models.Model):
    """A group of questions; a bot can leave it out."""

    script = models.ForeignKey(Script, on_delete=models.CASCADE, related_name="sections")
    key = models.SlugField(
        max_length=60,
        help_text="Short name, the same in every language. A bot leaves a section out by it, and "
        "it is a column in exports, so keep it once interviews have begun.",
    )
    title = models.CharField(
        max_length=200, help_text="For you, in the preview and in exports; it is never said."
    )
    position = models.PositiveIntegerField(default=0, db_index=True)
    history = HistoricalRecords()

    class Meta:
        ordering = ["position", "id"]
        constraints = [
            models.UniqueConstraint(fields=["script", "key"], name="section_key_once_a_script")
        ]

    def __str__(self) -> str:
        return self.title


class Question(models.Model):
    section = models.ForeignKey(Section, on_delete=models.CASCADE, related_name="questions")
    key = models.SlugField(
        max_length=60,
        help_text="Short name, the same in every language. Answers are found by it in exports, so "
        "keep it once interviews have begun.",
    )
    text = models.TextField(
        "question", help_text="As it is asked: open, and about one thing at a time."
    )
    objective = models.TextField(
        help_text="What the interviewer must have learned before moving on. It probes until this "
        "is met, so name facts and meaning, not the question again."
    )
    guidance = models.TextField(
        blank=True, help_text="How to ask, what to listen for, what to leave alone."
    )
    probes = models.TextField(
        blank=True,
        help_text="One or two follow-up questions written for this question, one per line. Life "
        "stories use them: without a model, short answers get them in this order; with a model, "
        "they are suggestions.",
    )
    block_seconds = models.PositiveIntegerField(
        "seconds",
        default=DEFAULT_BLOCK_SECONDS,
        validators=[MinValueValidator(30), MaxValueValidator(7200)],
        help_text="Time for this question with all its follow-ups. When it is up, the interview "
        "moves on.",
    )
    position = models.PositiveIntegerField(default=0, db_index=True)
    history = HistoricalRecords()

    class Meta:
        ordering = ["position", "id"]
        constraints = [
            models.UniqueConstraint(fields=["section", "key"], name="question_key_once_a_section"),
            models.CheckConstraint(
                condition=models.Q(block_seconds__gte=30),
                name="question_block_of_30_seconds_or_more",
            ),
        ]

    def __str__(self) -> str:
        return self.text
