"""Documents handed over, and what a model might say of them."""

from pathlib import Path

from plans.models import Bot, Document, ProjectContext
from plans.protocols.knowledge_transfer.analysis import context_job, document_job
from plans.protocols.knowledge_transfer.analysis.deep_dive import Dive
from plans.protocols.knowledge_transfer.analysis.drafts import (
    BacklogDraft,
    ProjectSummary,
    QuestionDraft,
    SourceDraft,
)
from plans.protocols.knowledge_transfer.analysis.requests import add_file
from tests.scripted import scripted

DEMO = Path(__file__).parents[3] / "plans/demo/documents"
NOTES = b"Orders above 500 sheets go to the big press.\n\nNobody has written down why that is so.\n"
DIVE, SUMMARY, QUESTIONS = (f"plans.knowledge.{name}" for name in ("dive", "summary", "questions"))


def dive(purpose: str = "Says which press prints what.", **lists: list[str]) -> Dive:
    """What a model finds in a document."""
    none: dict[str, list[str]] = {
        name: [] for name in ("decisions", "formulas", "thresholds", "people", "gaps")
    }
    return Dive(purpose=purpose, **none | lists)


FOUND = dive()


def question(text: str, priority: str = "P1", why: str = "", *places: tuple[str, str]):
    """One that a model drafts."""
    sources = [SourceDraft(document=document, place=place) for document, place in places]
    return QuestionDraft(text=text, priority=priority, why=why, sources=sources)


def says(
    *questions: QuestionDraft, summary: str = "All prints.", found: Dive | None = None
) -> None:
    """What the model answers from now on, whenever it is asked."""
    scripted.always(DIVE, found or dive())
    scripted.always(SUMMARY, ProjectSummary(summary=summary))
    scripted.always(QUESTIONS, BacklogDraft(questions=list(questions)))


def read(bot: Bot, name: str = "notes.txt", content: bytes = NOTES) -> Document:
    """A document that is taken in and made."""
    row = add_file(bot, name, content)
    document_job.JOB.run(row.pk)
    row.refresh_from_db()
    return row


def put_together(bot: Bot) -> ProjectContext:
    """The context that was wished for, made."""
    row = ProjectContext.objects.get(bot=bot)
    context_job.JOB.run(row.pk)
    row.refresh_from_db()
    return row
