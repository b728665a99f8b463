from typing import Any, ClassVar

from django.contrib import messages
from django.db.models import Prefetch, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.dateparse import parse_datetime
from django.utils.html import format_html
from django.utils.safestring import SafeString
from unfold.decorators import action, display

from plans.admin import imports, pages
from plans.admin.base import StudyAdmin, bots_linked, time_column
from plans.admin.dialogs import go
from plans.bots.history import row_history, source_as_of
from plans.bots.teams import visible
from plans.models import Bot
from plans.models.ladder import LadderFile
from plans.portability.problems import BrokenDocument
from plans.protocols.laddering.admin.files import IMPORT_KINDS, ladder_file
from plans.protocols.laddering.admin.preview import content_of, file_preview
from plans.protocols.laddering.files import LadderKind, read_file
from plans.protocols.laddering.forms import LadderForm
from plans.protocols.laddering.schema.shipped import starter_text


class LadderAdmin(StudyAdmin):
    """A list of files as text, with their problems beside them."""

    kind: ClassVar[LadderKind]

    form = LadderForm
    places = {
        "Form": "What most studies need. Everything else of the text stays as it is.",
        "YAML": "The whole text, for experts and for copying between sites.",
    }
    compressed_fields = False  # the label stands above: lines of a file are long
    search_fields = ["name", "key", "source"]
    search_help_text = "Name, ID, text"
    list_display_links = ["name"]
    actions_list = ["import_new"]
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

    @display(description="Used by", empty_value="no bot yet")
    def used_by(self, row: Any) -> SafeString | None:
        return bots_linked(row.bots.all())

    saved = time_column("Saved", "updated_at")

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        if row := context.get("original"):
            context |= {"content": content_of(row), "bots": list(row.bots.all())}
        response: HttpResponse = super().render_change_form(request, context, *args, **kwargs)
        return response

    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: Any = None
    ) -> HttpResponse:
        row = self.row(request, object_id)
        restore_url = reverse(f"admin:plans_{row._meta.model_name}_import_into", args=[row.pk])
        return pages.history(self, request, row, row_history(row), restore_url)

    @action(
        description="Preview", icon="visibility", permissions=["view"], attrs={"target": "_blank"}
    )
    def preview(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return file_preview(request, self.row(request, object_id))

    @action(description="Import", icon="upload", permissions=["add"], url_path="import")
    def import_new(self, request: HttpRequest) -> HttpResponse:
        return imports.import_page(self, request, IMPORT_KINDS[self.kind.name])

    @action(
        description="Update from a file", icon="upload", permissions=["change"], url_path="import"
    )
    def import_into(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Import a file, or restore an earlier state (?as_of=), into this row."""
        row = self.row(request, object_id)
        if "as_of" in request.GET and request.method == "GET":
            return self._preview_earlier(request, row)
        return imports.import_page(self, request, IMPORT_KINDS[self.kind.name], row)

    def _preview_earlier(self, request: HttpRequest, row: LadderFile) -> HttpResponse:
        at = parse_datetime(request.GET["as_of"])
        text = source_as_of(row, at) if at else None
        if text is None:
            raise Http404
        import_kind = IMPORT_KINDS[self.kind.name]
        try:
            document = read_file(self.kind, text, row=row)
        except BrokenDocument as error:
            messages.error(request, f"That version can't be read: {error.problems[0]}.")
            return go(request, self.change_url(row))
        return imports.preview_page(self, request, import_kind, row, document, text)

    @action(description="Export as YAML", icon="download", permissions=["view"])
    def export_yaml(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return ladder_file(self, request, self.row(request, object_id), "yaml")

    @action(description="Export as JSON", icon="download", permissions=["view"])
    def export_json(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return ladder_file(self, request, self.row(request, object_id), "json")
