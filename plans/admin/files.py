from collections.abc import Iterable
from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.dateparse import parse_datetime
from django.utils.safestring import SafeString
from unfold.decorators import action, display

from plans.admin import exports, imports, pages
from plans.admin.base import NEW_TAB, StudyAdmin, bots_linked, time_column
from plans.admin.dialogs import go
from plans.portability.formats import Format
from plans.portability.problems import BrokenDocument


class FileActions(StudyAdmin):
    """Preview, history, import, export and columns that scripts, bots and files share.

    `restores`: the history leads to `earlier` states, which are imported like files.
    """

    preview_of: Any  # takes the request and the row
    saves_of: Any  # takes the row
    import_kind: Any  # takes the row, or None for a new one; how a file is imported into it
    restores = True
    earlier: Any  # takes the row and a time; its document then and the text, or BrokenDocument
    actions_list = ["import_new"]
    saved = time_column("Saved", "updated_at")

    @display(description="Used by", empty_value="no bot yet")
    def used_by(self, row: Any) -> SafeString | None:
        return bots_linked(row.bots.all())

    def export_rows(self, request: HttpRequest, rows: Iterable[Any], form: Format) -> HttpResponse:
        return exports.rows_file(rows, form, f"{self.opts.model_name}s")

    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: Any = None
    ) -> HttpResponse:
        row = self.row(request, object_id)
        name = f"admin:plans_{self.opts.model_name}_import_into"
        restore = reverse(name, args=[row.pk]) if self.restores else ""
        return pages.history(self, request, row, self.saves_of(row), restore)

    @action(description="Preview", icon="visibility", permissions=["view"], attrs=NEW_TAB)
    def preview(self, request: HttpRequest, object_id: str) -> HttpResponse:
        page: HttpResponse = self.preview_of(request, self.row(request, object_id))
        return page

    @action(description="Import", icon="upload", permissions=["add"], url_path="import")
    def import_new(self, request: HttpRequest) -> HttpResponse:
        return imports.import_page(self, request, self.import_kind(None))

    @action(
        description="Update from a file", icon="upload", permissions=["change"], url_path="import"
    )
    def import_into(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Import a file, or restore an earlier state (?as_of=), into this row."""
        row = self.row(request, object_id)
        if self.restores and "as_of" in request.GET and request.method == "GET":
            return self._preview_earlier(request, row)
        return imports.import_page(self, request, self.import_kind(row), row)

    def _preview_earlier(self, request: HttpRequest, row: Any) -> HttpResponse:
        at = parse_datetime(request.GET["as_of"])
        try:
            earlier = self.earlier(row, at) if at else None
        except BrokenDocument as error:
            messages.error(request, f"That version can't be read: {error.problems[0]}.")
            return go(request, self.change_url(row))
        if earlier is None:
            raise Http404
        return imports.preview_page(self, request, self.import_kind(row), row, *earlier)

    @action(description="Export as YAML", icon="download", permissions=["view"])
    def export_yaml(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self.export_rows(request, [self.row(request, object_id)], "yaml")

    @action(description="Export as JSON", icon="download", permissions=["view"])
    def export_json(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self.export_rows(request, [self.row(request, object_id)], "json")

    @admin.action(description="Export as YAML", permissions=["view"])
    def export_selected_yaml(self, request: HttpRequest, queryset: QuerySet[Any]) -> HttpResponse:
        return self.export_rows(request, queryset, "yaml")

    @admin.action(description="Export as JSON", permissions=["view"])
    def export_selected_json(self, request: HttpRequest, queryset: QuerySet[Any]) -> HttpResponse:
        return self.export_rows(request, queryset, "json")
