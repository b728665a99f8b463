"""Files that laddering interviews are based on: what to explore, and how.

A row stores the file's text as written; nothing is stored that can't be parsed.
"""

from django.db import models
from simple_history.models import HistoricalRecords


class LadderFile(models.Model):
    """A YAML or JSON file; its key is the id given in the file."""

    key = models.SlugField(max_length=60, unique=True)
    name = models.CharField(max_length=200)
    source = models.TextField()
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        abstract = True
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


class LadderConcept(LadderFile):
    history = HistoricalRecords()

    class Meta(LadderFile.Meta):
        verbose_name = "concept"


class LadderMethodology(LadderFile):
    history = HistoricalRecords()

    class Meta(LadderFile.Meta):
        verbose_name = "methodology"
        verbose_name_plural = "methodologies"
