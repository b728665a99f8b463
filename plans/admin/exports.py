"""Scripts, bots, topics and backlogs as files to download."""

import io
import zipfile
from collections.abc import Iterable

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
    """One script. CSV begins with a byte order mark, without which Excel guesses the encoding."""
    return document_file(file_name(script), form, script_document(script))


def bot_file(bot: Bot, form: Format) -> HttpResponse:
    """One bot with its scripts or topics."""
    return document_file(file_name(bot), form, bot_document(bot))


def topics_file(bot: Bot) -> HttpResponse:
    """The topics of one bot as CSV."""
    return document_file(f"{file_name(bot)}-topics", "csv", topics_document(bot))


def scripts_file(scripts: Iterable[Script], form: Format) -> HttpResponse:
    """One script as it is, several in a ZIP."""
    rows = list(scripts)
    if len(rows) == 1:
        return script_file(rows[0], form)
    return _zip("scripts", form, [(file_name(s), script_document(s)) for s in rows])


def bots_file(bots: Iterable[Bot], form: Format) -> HttpResponse:
    """One bot as it is, several in a ZIP."""
    rows = list(bots)
    if len(rows) == 1:
        return bot_file(rows[0], form)
    return _zip("bots", form, [(file_name(b), bot_document(b)) for b in rows])


def file_name(row: Script | Bot) -> str:
    """A name for the file that says what is in it."""
    stem = row.slug if isinstance(row, Bot) else slugify(latin(f"{row.name} {row.language}"))
    return stem[:80] or "script"


def _bytes(document: BaseModel, form: Format) -> bytes:
    return write(document, form).encode("utf-8-sig" if form == "csv" else "utf-8")


def document_file(name: str, form: Format, document: BaseModel) -> HttpResponse:
    """The document as a file to download."""
    return download(f"{name}.{form}", f"{MEDIA[form]}; charset=utf-8", _bytes(document, form))


def _zip(name: str, form: Format, documents: Iterable[tuple[str, BaseModel]]) -> HttpResponse:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for number, (stem, document) in enumerate(documents, 1):
            archive.writestr(f"{number:02}-{stem}.{form}", _bytes(document, form))
    return download(f"{name}.zip", "application/zip", out.getvalue())


def download(name: str, media: str, content: bytes) -> HttpResponse:
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(content, content_type=media, headers=headers)
