from typing import Any, Literal

from django.core.validators import RegexValidator
from django.db import models
from simple_history.models import HistoricalRecords

from plans.documents.limits import NAME_CHARACTERS
from plans.jobs import Job
from plans.models.bot import Bot

MOST_QUESTIONS = 200  # of a backlog
Priority = Literal["P0", "P1", "P2"]
MADE_IN_INTERVIEWS = ("followup-", "discovered-")  # prefixes of the ids of such questions
validate_own_key = RegexValidator(
    rf"^(?!{'|'.join(MADE_IN_INTERVIEWS)})[-a-zA-Z0-9_]+$",
    "Use letters, digits, - and _. Keys can't start with followup- or discovered-: those are for "
    "questions that come up in interviews.",
)


class Document(Job):
    """A file, or pasted text, that was handed over.

    The job reads it and analyses it. `content` is the analysis: the fields of a deep dive, `points`
    [{text, place}] and `made_by`.
    """

    bot = models.ForeignKey(Bot, on_delete=models.CASCADE, related_name="documents")
    name = models.CharField(max_length=NAME_CHARACTERS)
    kind = models.CharField(max_length=10, blank=True)  # plans.documents.FileKind, once it is read
    size = models.PositiveIntegerField()  # bytes
    digest = models.CharField(max_length=64)  # SHA-256 (hex) of the bytes
    edited = models.BooleanField(default=False)  # content was edited by a person
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["bot_id", "id"]
        constraints = [
            *Job.Meta.constraints,
            models.UniqueConstraint(fields=["bot", "name"], name="document_name_once_a_bot"),
            models.UniqueConstraint(fields=["bot", "digest"], name="document_content_once_a_bot"),
        ]

    def __str__(self) -> str:
        return self.name


class DocumentFile(models.Model):
    """A document's bytes, kept until they are read."""

    document = models.OneToOneField(Document, on_delete=models.CASCADE, related_name="file")
    content = models.BinaryField()

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"File of {self.document}"


class DocumentPart(models.Model):
    """A piece of a document's text and its place."""

    document = models.ForeignKey(Document, on_delete=models.CASCADE, related_name="parts")
    number = models.PositiveIntegerField()  # from 1, in the document's order
    place = models.CharField(max_length=300)
    text = models.TextField()

    class Meta:
        default_permissions = ()
        ordering = ["document_id", "number"]
        constraints = [
            models.UniqueConstraint(fields=["document", "number"], name="part_number_once")
        ]

    def __str__(self) -> str:
        return f"{self.document}, {self.place}"


class ProjectContext(Job):
    """What all documents of a bot say together; `signature` identifies what it is based on.

    `content` is {summary, questions, made_by}: the summary in Markdown, and the questions as they
    were drafted. The accepted questions are BacklogQuestion rows.
    """

    bot = models.OneToOneField(Bot, on_delete=models.CASCADE, related_name="project_context")
    signature = models.CharField(max_length=64, blank=True)
    edited = models.BooleanField(default=False)  # the summary was edited by a person
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [*Job.Meta.constraints]

    def __str__(self) -> str:
        return f"Project context of {self.bot}"


class BacklogQuestion(models.Model):
    """A question for the person who hands over."""

    class Priority(models.TextChoices):
        P0 = "P0", "P0, asked first"
        P1 = "P1", "P1, asked next"
        P2 = "P2", "P2, not asked (open point)"

    class Origin(models.TextChoices):
        ANALYSIS = "ANALYSIS", "Analysis"
        ADMIN = "ADMIN", "Admin"

    bot = models.ForeignKey(Bot, on_delete=models.CASCADE, related_name="backlog")
    key = models.CharField(
        max_length=60,
        validators=[validate_own_key],
        help_text="Short name that identifies answers in exports. Don't change it once interviews "
        "have started.",
    )
    text = models.CharField(
        "question", max_length=500, help_text="One question, as you would ask it yourself."
    )
    priority = models.CharField(max_length=2, choices=Priority, default=Priority.P1)
    origin = models.CharField(max_length=10, choices=Origin, default=Origin.ADMIN)
    why = models.CharField(
        max_length=500,
        blank=True,
        help_text="What the documents leave out. The interviewer reads this; participants don't.",
    )
    sources: Any = models.JSONField(default=list, blank=True)  # [{document, place, text}], ≤ 3
    position = models.PositiveIntegerField(default=0, db_index=True)
    history = HistoricalRecords()

    class Meta:
        ordering = ["position", "id"]
        constraints = [
            models.UniqueConstraint(fields=["bot", "key"], name="backlog_key_once_a_bot")
        ]

    def __str__(self) -> str:
        return self.text
