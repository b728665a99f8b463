import io
import zipfile
from collections.abc import Iterable, Sequence

from django.http import HttpResponse
from django.utils.text import slugify
from pydantic import BaseModel

from plans.models import Bot, Script
from plans.portability.bots import bot_document
from plans.portability.formats import Format
from plans.portability.scripts import script_document
from plans.portability.topics import topics_document
from plans.portability.writer import MEDIA, write
from plans.text import latin


def script_file(script: Script, form: Format) -> HttpResponse:
    return document_file(file_name(script), form, script_document(script))


def bot_file(bot: Bot, form: Format) -> HttpResponse:
    return document_file(file_name(bot), form, bot_document(bot))


def topics_file(bot: Bot) -> HttpResponse:
    return document_file(f"{file_name(bot)}-topics", "csv", topics_document(bot))


def scripts_file(scripts: Iterable[Script], form: Format) -> HttpResponse:
    return _files("scripts", form, [(file_name(s), script_document(s)) for s in scripts])


def bots_file(bots: Iterable[Bot], form: Format) -> HttpResponse:
    return _files("bots", form, [(file_name(b), bot_document(b)) for b in bots])


def file_name(row: Script | Bot) -> str:
    stem = row.slug if isinstance(row, Bot) else slugify(latin(f"{row.name} {row.language}"))
    return stem[:80] or "script"


def _encode(document: BaseModel, form: Format) -> bytes:
    return write(document, form).encode("utf-8-sig" if form == "csv" else "utf-8")


def document_file(name: str, form: Format, document: BaseModel) -> HttpResponse:
    """Return the document as a download. CSV gets a byte order mark for Excel."""
    return download(f"{name}.{form}", f"{MEDIA[form]}; charset=utf-8", _encode(document, form))


def _files(name: str, form: Format, documents: Sequence[tuple[str, BaseModel]]) -> HttpResponse:
    """Return a single document as it is, several in a ZIP file."""
    if len(documents) == 1:
        stem, document = documents[0]
        return document_file(stem, form, document)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for number, (stem, document) in enumerate(documents, 1):
            archive.writestr(f"{number:02}-{stem}.{form}", _encode(document, form))
    return download(f"{name}.zip", "application/zip", out.getvalue())


def download(name: str, media: str, content: bytes) -> HttpResponse:
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(content, content_type=media, headers=headers)
