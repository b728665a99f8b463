"""Documents are taken in: checked as far as that is cheap, stored once, handed out to be read."""

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
from plans.protocols.knowledge_transfer.analysis.status import hold
from plans.text import tidy

MOST_DOCUMENTS = 50
MOST_BYTES = 100 * limits.MEGABYTE
BEGINNING = 4096
ZIPPED = b"PK\x03\x04"


class NotAdded(ValueError):
    """A document that is not taken in; its text is for the person who chose it."""


def add_file(bot: Bot, name: str, content: bytes) -> Document:
    """A file as a document of the bot, which waits to be read. Raises NotAdded.

    Where another document has its name, it is kept as "name (2)".
    """
    name = clean(name)
    try:
        _check(name, content)
    except Unreadable as error:
        raise NotAdded(str(error)) from error
    return _stored(bot, name, content)


def add_text(bot: Bot, name: str, text: str) -> Document:
    """Pasted text as a document of the bot. Raises NotAdded."""
    name = clean(name if tidy(name) else "Pasted text")
    if kind_of_name(name) not in PLAIN:
        name = clean(f"{name}.txt")
    if not tidy(text):
        raise NotAdded("There is no text.")
    return add_file(bot, name, tidy(text).encode())


def _check(name: str, content: bytes) -> None:
    """Raises Unreadable. Containers are not opened here: the worker that reads them is bounded."""
    if len(content) > limits.BYTES:
        raise Unreadable(Reason.TOO_LARGE)
    if content.startswith(ZIPPED):
        if kind_of_name(name) not in (None, FileKind.XLSX, FileKind.DOCX):
            raise Unreadable(Reason.DISAGREE)
    elif recognise(name, content) in PLAIN and _binary(content[:BEGINNING]):
        raise Unreadable(Reason.UNKNOWN)


def _binary(beginning: bytes) -> bool:
    """Whether it can't be text in any encoding. Without zeros that takes a closer look, later."""
    if b"\x00" not in beginning:
        return False
    try:
        decode(beginning)
    except Unreadable as error:
        return error.reason is Reason.UNKNOWN
    return False


@transaction.atomic
def _stored(bot: Bot, name: str, content: bytes) -> Document:
    hold(bot)
    there = Document.objects.filter(bot=bot)
    digest = hashlib.sha256(content).hexdigest()
    _refuse(there, name, digest, len(content))
    names = set(there.values_list("name", flat=True))
    row = Document.objects.create(
        bot=bot, name=free_name(name, names), size=len(content), digest=digest
    )
    DocumentFile.objects.create(document=row, content=content)
    transaction.on_commit(partial(document_job.JOB.enqueue, row.pk))
    return row


def _refuse(there: QuerySet[Document], name: str, digest: str, size: int) -> None:
    """Raises NotAdded for what is there already or too much."""
    same = there.filter(digest=digest).first()
    if same and same.name == name:
        raise NotAdded("This document is there already.")
    if same:
        raise NotAdded(f"The same content is there already, as {same.name}.")
    if there.count() >= MOST_DOCUMENTS:
        raise NotAdded(f"There are {MOST_DOCUMENTS} documents, and there may not be more.")
    if (there.aggregate(all=Sum("size"))["all"] or 0) + size > MOST_BYTES:
        most = MOST_BYTES // limits.MEGABYTE
        raise NotAdded(f"Together the documents would be larger than {most} MB.")


def free_name(name: str, taken: Collection[str]) -> str:
    """The name, or else with the first number after it that makes it one of its own."""
    if name not in taken:
        return name
    stem, dot, ending = name.rpartition(".")
    if not stem or len(ending) > 10:
        stem, dot, ending = name, "", ""
    room = limits.NAME_CHARACTERS - len(dot + ending) - len(" (99)")
    numbered = (f"{stem[:room]} ({n}){dot}{ending}" for n in range(2, len(taken) + 3))
    return next(other for other in numbered if other not in taken)
