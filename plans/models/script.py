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
        help_text="Language tag of all texts in it, such as en, it or ru.",
    )
    intro = models.TextField(
        help_text="Said before the first question. {participant_name} stands for the "
        "participant's name. Say that the interviewer is an AI and that skipping is fine."
    )
    outro = models.TextField(
        help_text="Said last. Thank people and ask nothing: nobody reads a reply."
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
        help_text="Short name, the same in every language. Bots use it to leave a section out, "
        "and it is a column in exports. Don't change it once interviews have started.",
    )
    title = models.CharField(
        max_length=200, help_text="For you, in the preview and in exports. It is never said."
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
        help_text="Short name, the same in every language. It identifies answers in exports. "
        "Don't change it once interviews have started.",
    )
    text = models.TextField(
        "question", help_text="As the interviewer asks it: open, and about one thing at a time."
    )
    objective = models.TextField(
        help_text="What the interviewer must learn before moving on. It probes until this is met, "
        "so name facts and meaning. Don't repeat the question."
    )
    guidance = models.TextField(
        blank=True, help_text="How to ask, what to listen for, what to leave alone."
    )
    probes = models.TextField(
        blank=True,
        help_text="One or two follow-up questions for this question, one per line, used in life "
        "stories. Without a model, short answers get them in this order; with a model, they are "
        "suggestions.",
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
