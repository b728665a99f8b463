from collections.abc import Iterable
from datetime import datetime
from typing import Any, ClassVar

from django.contrib import messages
from django.db.models import Prefetch, QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from unfold.decorators import display

from plans.admin import imports
from plans.admin.dialogs import go
from plans.admin.exports import download
from plans.admin.files import FileActions
from plans.bots.history import row_history, source_as_of
from plans.bots.teams import visible
from plans.forms.imports import ImportForm
from plans.models import Bot
from plans.models.ladder import LadderFile
from plans.portability.formats import Format
from plans.portability.problems import BrokenDocument
from plans.portability.writer import MEDIA
from plans.protocols.laddering.admin.preview import file_preview
from plans.protocols.laddering.files import (
    LadderDocument,
    LadderKind,
    apply_file,
    content_of,
    file_changes,
    file_text,
    read_file,
    stored_file,
)
from plans.protocols.laddering.forms import LadderForm, LadderImportForm
from plans.protocols.laddering.schema.shipped import starter_text


class LadderAdmin(FileActions):
    """A list of files as text, with their problems beside them."""

    kind: ClassVar[LadderKind]

    form = LadderForm
    preview_of = staticmethod(file_preview)
    saves_of = staticmethod(row_history)
    places = {
        "Form": "What most studies need. Everything else of the text stays as it is.",
        "YAML": "The whole text, for experts and for copying between sites.",
    }
    compressed_fields = False  # the label stands above: lines of a file are long
    search_fields = ["name", "key", "source"]
    search_help_text = "Name, ID, text"
    list_display_links = ["name"]
    actions_row = ["preview", "duplicate"]
    actions_detail = [
        "preview",
        "duplicate",
        {
            "title": "Files",
            "icon": "swap_vert",
            "items": ["export_yaml", "export_json", "import_into"],
        },
    ]
    change_form_outer_before_template = "admin/plans/ladder/overview.html"
    change_form_before_template = "admin/plans/ladder/problems.html"
    delete_confirmation_template = "admin/plans/ladder/delete.html"
    delete_selected_confirmation_template = "admin/plans/ladder/delete_selected.html"

    class Media:
        js = ["plans/source.js"]
        css = {"all": ["plans/source.css"]}

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        queryset: QuerySet[Any] = super().get_queryset(request)
        return queryset.prefetch_related(Prefetch("bots", visible(Bot.objects.all(), request.user)))

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        if not (obj is None or self.has_change_permission(request, obj)):
            return [(None, {"fields": ["text"]})]
        text = (None, {"fields": ["source"], "classes": ["YAML"]})
        fields = (None, {"fields": list(self.form.places), "classes": ["Form"]})
        return [fields, text] if obj is None or content_of(obj) else [text]

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> list[str]:
        return ["text"]

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        initial = super().get_changeform_initial_data(request)
        return {"source": starter_text(self.kind.name), **initial}

    @display(description="Text")
    def text(self, row: LadderFile) -> SafeString:
        return format_html('<pre class="ladder-text">{}</pre>', row.source)

    @display(description="ID", ordering="key")
    def id_of(self, row: LadderFile) -> SafeString:
        return format_html("<code>{}</code>", row.key)

    def change_form_context(self, request: HttpRequest, row: Any) -> dict[str, Any]:
        return {"content": content_of(row), "bots": list(row.bots.all())} if row else {}

    def import_kind(self, row: LadderFile | None) -> imports.ImportKind:
        described = (stored_file, file_changes, apply_file)
        return imports.ImportKind(self.kind.name, LadderImportForm, self._read, *described)

    def _read(self, form: ImportForm, row: LadderFile | None) -> LadderDocument:
        return read_file(self.kind, form.content(), form.cleaned_data["filename"], row)

    def earlier(self, row: LadderFile, at: datetime) -> tuple[LadderDocument, str] | None:
        text = source_as_of(row, at)
        return None if text is None else (read_file(self.kind, text, row=row), text)

    def export_rows(self, request: HttpRequest, rows: Iterable[Any], form: Format) -> HttpResponse:
        (row,) = rows
        try:
            text = file_text(row, form)
        except BrokenDocument as error:
            messages.error(request, f"“{row}” can't be read: {error.problems[0]}.")
            return go(request, self.change_url(row))
        return download(f"{row.key}.{form}", f"{MEDIA[form]}; charset=utf-8", text.encode())
