from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse

from plans.admin.dialogs import go
from plans.admin.exports import download
from plans.admin.imports import ImportKind
from plans.forms.imports import ImportForm
from plans.models.ladder import LadderFile
from plans.portability.formats import Format
from plans.portability.problems import BrokenDocument
from plans.portability.writer import MEDIA
from plans.protocols.laddering.files import (
    KINDS,
    LadderDocument,
    LadderKind,
    apply_file,
    file_changes,
    file_text,
    read_file,
    stored_file,
)
from plans.protocols.laddering.forms import LadderImportForm


def _import_kind(kind: LadderKind) -> ImportKind:
    def read(form: ImportForm, row: LadderFile | None) -> LadderDocument:
        return read_file(kind, form.content(), form.cleaned_data["filename"], row)

    return ImportKind(kind.name, LadderImportForm, read, stored_file, file_changes, apply_file)


IMPORT_KINDS = {name: _import_kind(kind) for name, kind in KINDS.items()}


def ladder_file(admin: Any, request: HttpRequest, row: LadderFile, form: Format) -> HttpResponse:
    try:
        text = file_text(row, form)
    except BrokenDocument as error:
        messages.error(request, f"“{row}” can't be read: {error.problems[0]}.")
        return go(request, admin.change_url(row))
    return download(f"{row.key}.{form}", f"{MEDIA[form]}; charset=utf-8", text.encode())
