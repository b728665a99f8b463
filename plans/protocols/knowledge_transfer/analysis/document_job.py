from io import BytesIO
from typing import Any

from django.db import transaction
from django.utils import timezone

from llm.routing.routes import NO_MODEL
from plans.documents import ReadDocument, Reason, Unreadable, read
from plans.jobs import Cancelled, JobFailed, JobType, PermanentFailure, celery_task
from plans.models import Document, DocumentFile, DocumentPart
from plans.protocols.knowledge_transfer.analysis import context_job
from plans.protocols.knowledge_transfer.analysis.deep_dive import analyse_document, points_of
from plans.text import UNFIT

LONGEST_PLACE = 300


def parts_of(row: Document) -> list[DocumentPart]:
    """Return the document's parts, reading and storing them first if necessary.

    Raises PermanentFailure for what can't be read, JobFailed for what was too slow this time, and
    Cancelled if another worker has claimed the document.
    """
    if not row.kind:
        _store_parts(row, _read(row))
    return list(row.parts.all())


def _read(row: Document) -> ReadDocument:
    try:
        content = bytes(DocumentFile.objects.get(document=row).content)
        return read(row.name, BytesIO(content))
    except DocumentFile.DoesNotExist as error:
        raise PermanentFailure(
            "The file is gone. Remove the document and upload it again."
        ) from error
    except Unreadable as error:
        failed = JobFailed if error.reason is Reason.TOO_SLOW else PermanentFailure
        raise failed(str(error)) from error


@transaction.atomic
def _store_parts(row: Document, content: ReadDocument) -> None:
    mine = Document.objects.filter(pk=row.pk, claim=row.claim).order_by("pk")
    if mine.select_for_update().first() is None:
        raise Cancelled
    row.parts.all().delete()
    parts = [
        DocumentPart(
            document=row,
            number=number,
            place=UNFIT.sub("", part.place)[:LONGEST_PLACE],
            text=UNFIT.sub("", part.text),
        )
        for number, part in enumerate(content.parts, start=1)
    ]
    DocumentPart.objects.bulk_create(parts, batch_size=500)
    row.kind = content.kind
    mine.update(kind=content.kind)


TASK = "plans.tasks.make_document"


def _make(row: Document) -> dict[str, Any]:
    parts = parts_of(row)
    result, points = analyse_document(row, parts), points_of(parts)
    # What a model found or a person wrote before is better than the document's own sentences.
    stays = not result.fields and (row.edited or row.content.get("made_by") == "model")
    reason = result.reason
    if stays:
        content = dict(row.content)
        reason = f"{reason or NO_MODEL} The analysis shown is an earlier one."
    else:
        content = {**result.fields, "made_by": "model" if result.fields else "rules"}
        if reason and not result.fields:
            reason += " What is shown are sentences of its own."
    return {
        "content": {**content, "points": points},
        "edited": stays and row.edited,
        "reason": reason,
        "updated_at": timezone.now(),
    }


def _request_context(row: Document) -> None:
    context_job.request_context(row.bot)


def _after(row: Document) -> None:
    DocumentFile.objects.filter(document=row).delete()
    _request_context(row)


JOB = JobType(Document, _make, celery_task(TASK), after=_after, given_up=_request_context)
