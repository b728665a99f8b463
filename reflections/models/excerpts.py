"""A study's codebook, what is coded with it, and what a model suggests to code."""

from django.db import models
from django.db.models import F, Q

from interviews.models import Session, TranscriptEntry
from plans.jobs import Job
from plans.models import Bot


class CodebookCode(models.Model):
    """A code of a study's codebook, possibly below another one."""

    bot = models.ForeignKey(Bot, on_delete=models.CASCADE, related_name="codebook")
    parent = models.ForeignKey(
        "self", on_delete=models.SET_NULL, null=True, blank=True, related_name="children"
    )
    name = models.CharField(max_length=100)
    description = models.TextField(blank=True)
    created_by = models.CharField(max_length=150)  # user name: accounts get deleted
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["name", "id"]
        verbose_name = "code of a codebook"
        verbose_name_plural = "codes of codebooks"
        default_permissions = []  # the rights are those of excerpts
        constraints = [
            models.UniqueConstraint(fields=["bot", "name"], name="codebook_name_once_a_bot"),
            models.CheckConstraint(
                condition=Q(parent=None) | ~Q(parent=F("id")), name="code_is_not_below_itself"
            ),
        ]

    def __str__(self) -> str:
        return self.name


class Excerpt(models.Model):
    """A passage of one utterance under one code; places are in code points of its text."""

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="excerpts")
    entry = models.ForeignKey(TranscriptEntry, on_delete=models.CASCADE, related_name="excerpts")
    code = models.ForeignKey(CodebookCode, on_delete=models.CASCADE, related_name="excerpts")
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()  # the first place after it
    memo = models.TextField(blank=True)
    against = models.BooleanField(default=False)  # it contradicts the code
    suggested = models.BooleanField(default=False)  # by a model, and accepted by a person
    created_by = models.CharField(max_length=150)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["session", "entry", "start", "id"]
        default_permissions = ["view", "change"]
        constraints = [
            models.UniqueConstraint(
                fields=["entry", "code", "start", "end"], name="excerpt_once_a_code"
            ),
            models.CheckConstraint(condition=Q(end__gt=F("start")), name="excerpt_is_not_empty"),
        ]

    def __str__(self) -> str:
        return f"Excerpt {self.pk}"

    @property
    def quote(self) -> str:
        return self.entry.text[self.start : self.end]


class CodeSuggestions(Job):
    """What a model suggests to code in one interview; typed in coding.suggestions."""

    session = models.OneToOneField(
        Session, on_delete=models.CASCADE, related_name="code_suggestions"
    )
    created_by = models.CharField(max_length=150)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name_plural = "code suggestions"
        default_permissions = []
        constraints = Job.Meta.constraints

    def __str__(self) -> str:
        return f"Code suggestions for {str(self.session_id)[:8]}"
