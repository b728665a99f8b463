"""What people do to documents and the summary."""

import hashlib
from collections.abc import Collection, Mapping
from typing import Any

from django.db import transaction
from django.db.models import QuerySet, Sum

from plans.documents import FileKind, Reason, Unreadable, limits
from plans.documents.decoder import decode
from plans.documents.file_types import PLAIN, clean, kind_of_name, recognise
from plans.jobs import ANEW, UNDER_WAY, Job
from plans.models import Bot, Document, DocumentFile, DocumentPart, ProjectContext
from plans.models.copies import clone
from plans.protocols.knowledge_transfer.analysis import context_job, document_job
from plans.protocols.knowledge_transfer.analysis.context_job import PERSON
from plans.protocols.knowledge_transfer.analysis.deep_dive import LISTS, dive_fields
from plans.protocols.knowledge_transfer.analysis.drafts import LONGEST_SUMMARY
from plans.protocols.knowledge_transfer.analysis.status import is_stale, lock_bot, signature_of
from plans.text import tidy

MOST_DOCUMENTS = 50
MOST_BYTES = 100 * limits.MEGABYTE
BEGINNING = 4096
BATCH_SIZE = 200  # parts of documents
ZIPPED = b"PK\x03\x04"


class DocumentRejected(ValueError):
    """A document can't be added; the message is for the person who chose it."""


def add_file(bot: Bot, name: str, content: bytes) -> Document:
    """Add a file to the bot's documents, to be read in the background. Raises DocumentRejected.

    A name that is taken becomes "name (2)".
    """
    name = clean(name)
    try:
        _check(name, content)
    except Unreadable as error:
        raise DocumentRejected(str(error)) from error
    return _store(bot, name, content)


def add_text(bot: Bot, name: str, text: str) -> Document:
    name = clean(name if tidy(name) else "Pasted text")
    if kind_of_name(name) not in PLAIN:
        name = clean(f"{name}.txt")
    if not tidy(text):
        raise DocumentRejected("Enter some text.")
    return add_file(bot, name, tidy(text).encode())


def _check(name: str, content: bytes) -> None:
    """Raise Unreadable for obvious problems; only the worker, which has limits, opens archives."""
    if len(content) > limits.BYTES:
        raise Unreadable(Reason.TOO_LARGE)
    if content.startswith(ZIPPED):
        if kind_of_name(name) not in (None, FileKind.XLSX, FileKind.DOCX):
            raise Unreadable(Reason.DISAGREE)
    elif recognise(name, content) in PLAIN and _is_binary(content[:BEGINNING]):
        raise Unreadable(Reason.UNKNOWN)


def _is_binary(beginning: bytes) -> bool:
    """Return whether the bytes can't be text in any encoding; checks only those with zeros."""
    if b"\x00" not in beginning:
        return False
    try:
        decode(beginning)
    except Unreadable as error:
        return error.reason is Reason.UNKNOWN
    return False


@transaction.atomic
def _store(bot: Bot, name: str, content: bytes) -> Document:
    lock_bot(bot)
    documents = Document.objects.filter(bot=bot)
    digest = hashlib.sha256(content).hexdigest()
    _check_limits(documents, name, digest, len(content))
    name = free_name(name, set(documents.values_list("name", flat=True)))
    row = Document.objects.create(bot=bot, name=name, size=len(content), digest=digest)
    DocumentFile.objects.create(document=row, content=content)
    document_job.JOB.enqueue_on_commit(row.pk)
    return row


def _check_limits(documents: QuerySet[Document], name: str, digest: str, size: int) -> None:
    same = documents.filter(digest=digest).first()
    if same and same.name == name:
        raise DocumentRejected("This document has already been added.")
    if same:
        raise DocumentRejected(f"The same content has already been added, as {same.name}.")
    if documents.count() >= MOST_DOCUMENTS:
        raise DocumentRejected(f"There are already {MOST_DOCUMENTS} documents, the maximum.")
    if (documents.aggregate(all=Sum("size"))["all"] or 0) + size > MOST_BYTES:
        most = MOST_BYTES // limits.MEGABYTE
        raise DocumentRejected(f"Together the documents would be larger than {most} MB.")


def free_name(name: str, taken: Collection[str]) -> str:
    if name not in taken:
        return name
    stem, dot, ending = name.rpartition(".")
    if not stem or len(ending) > 10:
        stem, dot, ending = name, "", ""
    room = limits.NAME_CHARACTERS - len(dot + ending) - len(" (99)")
    numbered = (f"{stem[:room]} ({n}){dot}{ending}" for n in range(2, len(taken) + 3))
    return next(other for other in numbered if other not in taken)


class DocumentNotRead(ValueError):
    """A deep dive can't be written yet; the message is shown to people."""


def request_new_dive(document: Document) -> None:
    Document.objects.filter(pk=document.pk).update(**ANEW)
    document_job.JOB.enqueue_on_commit(document.pk)


@transaction.atomic
def write_dive(document: Document, fields: Mapping[str, Any]) -> None:
    """Store what a person wrote: `purpose` and the lists of a deep dive, one item a line.

    A job in progress will not overwrite it. Raises DocumentNotRead.
    """
    row = Document.objects.select_for_update().order_by().get(pk=document.pk)
    if not row.kind:
        raise DocumentNotRead("The document hasn’t been read yet.")
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
def request_new_context(bot: Bot) -> None:
    """Request a new summary, even if a person wrote the present one, and more questions.

    What is there is used until the job is done. Does nothing if no document is ready.
    """
    lock_bot(bot)
    if signature := signature_of(bot):
        row, _ = ProjectContext.objects.get_or_create(bot=bot)
        ProjectContext.objects.filter(pk=row.pk).update(edited=False)
        context_job.enqueue_context(row, signature)


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
        document_job.JOB.enqueue_on_commit(copy.pk)


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
