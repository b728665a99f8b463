"""Concepts and methodologies as files, out and in."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse

from plans.admin.dialogs import go
from plans.admin.exporting import download
from plans.admin.importing import Kind
from plans.forms.importing import ImportForm
from plans.forms.ladder import LadderImportForm
from plans.models.ladder import LadderFile
from plans.portability.ladders import (
    SORTS,
    LadderDocument,
    Sort,
    apply_file,
    file_changes,
    file_text,
    known_file,
    read_file,
)
from plans.portability.problems import BrokenDocument
from plans.portability.reading import Format
from plans.portability.writing import MEDIA


def _kind(sort: Sort) -> Kind:
    def read(form: ImportForm, row: LadderFile | None) -> LadderDocument:
        return read_file(sort, form.content(), form.cleaned_data["filename"], row)

    return Kind(sort.name, LadderImportForm, read, known_file, file_changes, apply_file)


SORT_KINDS = {name: _kind(sort) for name, sort in SORTS.items()}


def ladder_file(admin: Any, request: HttpRequest, row: LadderFile, form: Format) -> HttpResponse:
    """The row's own text, or its content in the other format."""
    try:
        text = file_text(row, form)
    except BrokenDocument as error:
        messages.error(request, f"“{row}” can't be read: {error.problems[0]}.")
        return go(request, admin.change_url(row))
    return download(f"{row.key}.{form}", f"{MEDIA[form]}; charset=utf-8", text.encode())
