"""Documents as jobs: each is read, looked into, and then its file is not needed any more."""

from typing import Any

from django.utils import timezone

from llm.routing.routes import NO_MODEL
from plans.jobs import JobType, celery_task
from plans.models import Document, DocumentFile
from plans.protocols.knowledge_transfer.analysis import context_job
from plans.protocols.knowledge_transfer.analysis.deep_dive import (
    DiveResult,
    analyse_document,
    points_of,
)
from plans.protocols.knowledge_transfer.analysis.document_parts import parts_of

TASK = "plans.tasks.make_document"


def _made(row: Document) -> dict[str, Any]:
    """The fields of a finished row."""
    parts = parts_of(row)
    found, points = analyse_document(row, parts), points_of(parts)
    fields = _kept(row, found) if not found.fields and _is_worth(row) else _new(found)
    fields["content"]["points"] = points
    return {"updated_at": timezone.now(), **fields}


def _new(found: DiveResult) -> dict[str, Any]:
    reason = found.reason
    if reason and not found.fields:
        reason += " What is shown are sentences of its own."
    content = {**found.fields, "made_by": "model" if found.fields else "rules"}
    return {"content": content, "reason": reason, "edited": False}


def _kept(row: Document, found: DiveResult) -> dict[str, Any]:
    """What a model found or a person wrote before: better than the rules of today."""
    reason = f"{found.reason or NO_MODEL} What is shown is from before."
    return {"content": dict(row.content), "reason": reason}


def _is_worth(row: Document) -> bool:
    return row.edited or row.content.get("made_by") == "model"


def settled(row: Document) -> None:
    """What follows from a document that is made or has failed, in the same transaction."""
    context_job.request_context(row.bot)


def _after(row: Document) -> None:
    DocumentFile.objects.filter(document=row).delete()
    settled(row)


JOB = JobType(Document, _made, celery_task(TASK), after=_after, given_up=settled)
