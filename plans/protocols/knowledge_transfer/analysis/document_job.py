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


def _make(row: Document) -> dict[str, Any]:
    parts = parts_of(row)
    result, points = analyse_document(row, parts), points_of(parts)
    # What a model found or a person wrote before is better than the document's own sentences.
    keeps = not result.fields and (row.edited or row.content.get("made_by") == "model")
    fields = _keep_content(row, result) if keeps else _new_content(result)
    fields["content"]["points"] = points
    return {"updated_at": timezone.now(), **fields}


def _new_content(result: DiveResult) -> dict[str, Any]:
    reason = result.reason
    if reason and not result.fields:
        reason += " What is shown are sentences of its own."
    content = {**result.fields, "made_by": "model" if result.fields else "rules"}
    return {"content": content, "reason": reason, "edited": False}


def _keep_content(row: Document, result: DiveResult) -> dict[str, Any]:
    reason = f"{result.reason or NO_MODEL} What is shown is from before."
    return {"content": dict(row.content), "reason": reason}


def _request_context(row: Document) -> None:
    context_job.request_context(row.bot)


def _after(row: Document) -> None:
    DocumentFile.objects.filter(document=row).delete()
    _request_context(row)


JOB = JobType(Document, _make, celery_task(TASK), after=_after, given_up=_request_context)
