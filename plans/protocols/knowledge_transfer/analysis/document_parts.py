"""From a document's file to its parts, once: what is read is kept before anything else is made."""

from io import BytesIO

from django.db import transaction

from plans.documents import ReadDocument, Reason, Unreadable, read
from plans.jobs import Cancelled, JobFailed, PermanentFailure
from plans.models import Document, DocumentFile, DocumentPart
from plans.text import UNFIT

LONGEST_PLACE = 300


def parts_of(row: Document) -> list[DocumentPart]:
    """The parts of a document that is being made, in their order.

    Raises PermanentFailure for what can't be read, JobFailed for what was too slow this time, and
    Cancelled when somebody else makes it by now.
    """
    if not row.kind:
        _keep(row, _read(row))
    return list(row.parts.all())


def _read(row: Document) -> ReadDocument:
    try:
        content = bytes(DocumentFile.objects.get(document=row).content)
        return read(row.name, BytesIO(content))
    except DocumentFile.DoesNotExist as error:
        raise PermanentFailure(
            "The file is not there any more. Remove it and upload it again."
        ) from error
    except Unreadable as error:
        failed = JobFailed if error.reason is Reason.TOO_SLOW else PermanentFailure
        raise failed(str(error)) from error


@transaction.atomic
def _keep(row: Document, found: ReadDocument) -> None:
    """Stores the parts if the document is still claimed by whoever has read it."""
    mine = Document.objects.filter(pk=row.pk, claim=row.claim).order_by("pk")
    if mine.select_for_update().first() is None:
        raise Cancelled
    row.parts.all().delete()
    DocumentPart.objects.bulk_create(_rows(row, found), batch_size=500)
    row.kind = found.kind
    mine.update(kind=found.kind)


def _rows(row: Document, found: ReadDocument) -> list[DocumentPart]:
    texts = [(part.place, UNFIT.sub("", part.text)) for part in found.parts]
    return [
        DocumentPart(
            document=row, number=number, place=UNFIT.sub("", place)[:LONGEST_PLACE], text=text
        )
        for number, (place, text) in enumerate(texts, start=1)
    ]
