from collections.abc import Mapping
from functools import partial
from typing import Any

from django.db import transaction

from plans.jobs import ANEW, UNDER_WAY, Job
from plans.models import Bot, Document, DocumentFile, ProjectContext
from plans.protocols.knowledge_transfer.analysis import context_job, document_job
from plans.protocols.knowledge_transfer.analysis.context_job import PERSON
from plans.protocols.knowledge_transfer.analysis.deep_dive import LISTS, dive_fields
from plans.protocols.knowledge_transfer.analysis.drafts import LONGEST_SUMMARY
from plans.protocols.knowledge_transfer.analysis.status import lock_bot, signature_of
from plans.text import tidy


class DocumentNotRead(ValueError):
    """A deep dive can't be written yet; the message is shown to people."""


def request_new_dive(document: Document) -> None:
    Document.objects.filter(pk=document.pk).update(**ANEW)
    transaction.on_commit(partial(document_job.JOB.enqueue, document.pk))


@transaction.atomic
def write_dive(document: Document, fields: Mapping[str, Any]) -> Document:
    """Store what a person wrote: `purpose` and the lists of a deep dive, one item a line.

    A job in progress will not overwrite it. Raises DocumentNotRead.
    """
    row = Document.objects.select_for_update().order_by().get(pk=document.pk)
    if not row.kind:
        raise DocumentNotRead("The document is not read yet.")
    was_running = row.status in UNDER_WAY
    lists = {name: [list(fields.get(name, ()))] for name in LISTS}
    written = dive_fields(str(fields.get("purpose", "")), lists)
    row.content = {"points": [], **row.content, **written, "made_by": PERSON}
    row.status, row.reason, row.edited = Job.Status.READY, "", True
    row.claim = row.claimed_until = None
    row.save()
    DocumentFile.objects.filter(document=row).delete()
    if was_running:
        context_job.request_context(row.bot)
    return row


@transaction.atomic
def remove_document(document: Document) -> None:
    """Delete the document and all that was read from it, and request a new context.

    Questions that name it as their source keep its words.
    """
    row = Document.objects.select_for_update().order_by().filter(pk=document.pk).first()
    if row is not None:
        row.delete()
        context_job.request_context(document.bot)


@transaction.atomic
def request_new_context(bot: Bot) -> ProjectContext | None:
    """Request a new summary, even if a person wrote the present one, and more questions.

    What is there is used until the job is done. Returns None if no document is ready.
    """
    lock_bot(bot)
    signature = signature_of(bot)
    if not signature:
        return None
    row, _ = ProjectContext.objects.get_or_create(bot=bot)
    ProjectContext.objects.filter(pk=row.pk).update(edited=False)
    context_job.enqueue_context(row, signature)
    row.refresh_from_db()
    return row


@transaction.atomic
def write_summary(bot: Bot, text: str) -> ProjectContext:
    """Store what a person wrote; a job in progress starts over and adds only questions."""
    lock_bot(bot)
    _, new = ProjectContext.objects.get_or_create(bot=bot)
    row = ProjectContext.objects.select_for_update().get(bot=bot)
    was_running = not new and row.status in UNDER_WAY
    signature = signature_of(bot)
    summary = tidy(text)[:LONGEST_SUMMARY]
    written = {"summary": summary, "made_by": PERSON, "rests_on": signature}
    row.content = {"questions": [], **row.content, **written}
    row.status, row.reason, row.edited = Job.Status.READY, "", True
    row.claim = row.claimed_until = None
    row.save()
    if was_running:
        context_job.enqueue_context(row, signature)
        row.refresh_from_db()
    return row
