import hashlib
from collections.abc import Collection
from functools import partial

from django.db import transaction
from django.db.models import QuerySet, Sum

from plans.documents import FileKind, Reason, Unreadable, limits
from plans.documents.decoder import decode
from plans.documents.file_names import clean, kind_of_name
from plans.documents.file_types import PLAIN, recognise
from plans.models import Bot, Document, DocumentFile
from plans.protocols.knowledge_transfer.analysis import document_job
from plans.protocols.knowledge_transfer.analysis.status import lock_bot
from plans.text import tidy

MOST_DOCUMENTS = 50
MOST_BYTES = 100 * limits.MEGABYTE
BEGINNING = 4096
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
        raise DocumentRejected("There is no text.")
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
    transaction.on_commit(partial(document_job.JOB.enqueue, row.pk))
    return row


def _check_limits(documents: QuerySet[Document], name: str, digest: str, size: int) -> None:
    same = documents.filter(digest=digest).first()
    if same and same.name == name:
        raise DocumentRejected("This document is there already.")
    if same:
        raise DocumentRejected(f"The same content is there already, as {same.name}.")
    if documents.count() >= MOST_DOCUMENTS:
        raise DocumentRejected(f"There are {MOST_DOCUMENTS} documents, and there may not be more.")
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
