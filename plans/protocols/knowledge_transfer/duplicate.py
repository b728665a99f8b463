from typing import Any

from plans.jobs import Job
from plans.models import Bot, Document, DocumentFile, DocumentPart, ProjectContext
from plans.models.copies import clone
from plans.protocols.knowledge_transfer.analysis.document_job import JOB
from plans.protocols.knowledge_transfer.analysis.status import is_stale, signature_of

BATCH_SIZE = 200  # document parts


def duplicate_documents(bot: Bot, copy: Bot) -> None:
    for document in bot.documents.all():
        _duplicate_document(document, copy)
    if context := ProjectContext.objects.filter(bot=bot).first():
        _duplicate_context(context, copy)


def _duplicate_document(document: Document, bot: Bot) -> None:
    copy = clone(document, bot=bot, **_unclaimed(document))
    parts = document.parts.values_list("number", "place", "text")
    rows = [DocumentPart(document=copy, number=n, place=p, text=t) for n, p, t in parts]
    DocumentPart.objects.bulk_create(rows, batch_size=BATCH_SIZE)
    for file in DocumentFile.objects.filter(document=document):
        clone(file, document=copy)
    if copy.status == Job.Status.PENDING:
        JOB.enqueue_on_commit(copy.pk)


def _duplicate_context(context: ProjectContext, bot: Bot) -> None:
    """Copy the summary; if it is current, sign it for the copied documents."""
    content = dict(context.content)
    if content and not is_stale(context):
        content["rests_on"] = signature_of(bot)
    clone(context, bot=bot, content=content, **_unclaimed(context))


def _unclaimed(job: Job) -> dict[str, Any]:
    running = job.status == Job.Status.RUNNING
    status = Job.Status.PENDING if running else job.status
    return {"status": status, "claim": None, "claimed_until": None, "attempts": 0}
