from django.db import models
from simple_history.models import HistoricalRecords


class Expert(models.Model):
    """A persona, played by a model, that reads a whole interview with its own focus."""

    key = models.SlugField(
        max_length=50,
        unique=True,
        help_text="A short name without spaces, used in reflections and exports. A changed key "
        "makes a new expert.",
    )
    name = models.CharField(max_length=100, help_text="As people see it, such as “Psychologist”.")
    looks_for = models.TextField(
        "what the expert looks for",
        help_text="In a sentence or two: which aspects of a person or a life.",
    )
    instructions = models.TextField(
        help_text="How the expert works: what to look at, which questions to ask of the text, "
        "what to leave alone. The model reads this before the interview."
    )
    active = models.BooleanField(
        default=True, help_text="If off, reads no more interviews. Existing reflections stay."
    )
    position = models.PositiveSmallIntegerField(default=0)
    history = HistoricalRecords()

    class Meta:
        ordering = ["position", "id"]

    def __str__(self) -> str:
        return self.name
