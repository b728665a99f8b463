from io import BytesIO

from django.db import transaction

from plans.documents import ReadDocument, Reason, Unreadable, read
from plans.jobs import Cancelled, JobFailed, PermanentFailure
from plans.models import Document, DocumentFile, DocumentPart
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
            "The file is not there any more. Remove it and upload it again."
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
