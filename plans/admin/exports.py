import io
import zipfile
from collections.abc import Iterable

from django.http import HttpResponse
from django.utils.text import slugify
from pydantic import BaseModel

from plans.models import Bot, Script
from plans.portability.bots import bot_document
from plans.portability.formats import MEDIA, Format, write
from plans.portability.scripts import script_document
from plans.text import latin


def rows_file(rows: Iterable[Script | Bot], form: Format, name: str) -> HttpResponse:
    """Return a single row's document as it is, several in a ZIP file of that name."""
    documents = [(file_name(row), _document(row)) for row in rows]
    if len(documents) == 1:
        stem, document = documents[0]
        return document_file(stem, form, document)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for number, (stem, document) in enumerate(documents, 1):
            with archive.open(f"{number:02}-{stem}.{form}", "w") as file:  # writestr adds the time
                file.write(_encode(document, form))
    return download(f"{name}.zip", "application/zip", out.getvalue())


def _document(row: Script | Bot) -> BaseModel:
    return bot_document(row) if isinstance(row, Bot) else script_document(row)


def file_name(row: Script | Bot) -> str:
    stem = row.slug if isinstance(row, Bot) else slugify(latin(f"{row.name} {row.language}"))
    return stem[:80] or "script"


def _encode(document: BaseModel, form: Format) -> bytes:
    return write(document, form).encode("utf-8-sig" if form == "csv" else "utf-8")


def document_file(name: str, form: Format, document: BaseModel) -> HttpResponse:
    """Return the document as a download. CSV gets a byte order mark for Excel."""
    return download(f"{name}.{form}", f"{MEDIA[form]}; charset=utf-8", _encode(document, form))


def download(name: str, media: str, content: bytes | str) -> HttpResponse:
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(content, content_type=media, headers=headers)
