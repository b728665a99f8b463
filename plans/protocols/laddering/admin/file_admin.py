"""What the admin of concepts and that of methodologies share."""

from typing import Any, ClassVar

from django.contrib import messages
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.dateparse import parse_datetime
from django.utils.html import format_html
from django.utils.safestring import SafeString
from unfold.decorators import action, display

from plans.admin import imports, pages
from plans.admin.base import StudyAdmin, bots_linked, moment
from plans.admin.dialogs import go
from plans.bots.history import row_history, source_as_of
from plans.models.ladder import LadderFile
from plans.portability.problems import BrokenDocument
from plans.protocols.laddering.admin.duplicate import CopyLadderForm
from plans.protocols.laddering.admin.files import SORT_KINDS, ladder_file
from plans.protocols.laddering.admin.preview import content_of, file_preview
from plans.protocols.laddering.duplicate import duplicate_ladder
from plans.protocols.laddering.files import LadderKind, read_file
from plans.protocols.laddering.forms import LadderForm
from plans.protocols.laddering.schema.starters import beginning


class LadderAdmin(StudyAdmin):
    """Files as text, with everything that is wrong in them beside it."""

    sort: ClassVar[LadderKind]

    form = LadderForm
    compressed_fields = False  # the label stands above: lines of a file are long
    search_fields = ["name", "key", "source"]
    search_help_text = "Name, id, words of the text"
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
        """With the bots that use each."""
        queryset: QuerySet[Any] = super().get_queryset(request)
        return queryset.prefetch_related("bots")

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        """The text; as it stands for who may only look."""
        may = self.has_change_permission(request, obj) if obj else True
        return [(None, {"fields": ["source"] if may else ["text"]})]

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> list[str]:
        """The text for who may only look."""
        return ["text"]

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        """A new one begins with a small one that can be read."""
        return {"source": beginning(self.sort.name), **super().get_changeform_initial_data(request)}

    @display(description="Text")
    def text(self, row: LadderFile) -> SafeString:
        """The text, its lines as they are written."""
        return format_html('<pre class="ladder-text">{}</pre>', row.source)

    @display(description="Id", ordering="key")
    def id_of(self, row: LadderFile) -> SafeString:
        """The id that the file gives itself."""
        return format_html("<code>{}</code>", row.key)

    @display(description="Used by", empty_value="no bot yet")
    def used_by(self, row: Any) -> SafeString | None:
        """The bots that interviews are led by it with."""
        return bots_linked(row.bots.all())

    @display(description="Saved", ordering="updated_at")
    def saved(self, row: LadderFile) -> str:
        """When it was last saved."""
        return moment(row.updated_at)

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        """With what the stored file holds."""
        if row := context.get("original"):
            context |= {"content": content_of(row), "bots": list(row.bots.all())}
        response: HttpResponse = super().render_change_form(request, context, *args, **kwargs)
        return response

    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: Any = None
    ) -> HttpResponse:
        """What was changed in the file."""
        row = self.row(request, object_id)
        return pages.history(self, request, row, row_history(row), self._restore(row))

    def _restore(self, row: LadderFile) -> str:
        return reverse(f"admin:plans_{row._meta.model_name}_import_into", args=[row.pk])

    @action(
        description="Preview", icon="visibility", permissions=["view"], attrs={"target": "_blank"}
    )
    def preview(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """The file, readable."""
        return file_preview(request, self.row(request, object_id))

    def duplicated(
        self, request: HttpRequest, form: CopyLadderForm, object_id: str
    ) -> HttpResponse:
        """A copy under another id and name, on its page."""
        row = self.row(request, object_id)
        try:
            copy = duplicate_ladder(row, form.cleaned_data["key"], form.cleaned_data["name"])
        except BrokenDocument as error:
            messages.error(request, f"“{row}” can't be read: {error.problems[0]}.")
            return go(request, self.change_url(row))
        messages.success(request, f"This is the copy, “{copy}”. The original is unchanged.")
        return go(request, self.change_url(copy))

    @action(description="Import", icon="upload", permissions=["add"], url_path="import")
    def import_new(self, request: HttpRequest) -> HttpResponse:
        """A file that becomes a row, or changes the one of its id."""
        return imports.import_page(self, request, SORT_KINDS[self.sort.name])

    @action(
        description="Import into this one", icon="upload", permissions=["change"], url_path="import"
    )
    def import_into(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """A file, or an earlier state (?as_of=), that this one becomes equal to."""
        row = self.row(request, object_id)
        if "as_of" in request.GET and request.method == "GET":
            return self._earlier(request, row)
        return imports.import_page(self, request, SORT_KINDS[self.sort.name], row)

    def _earlier(self, request: HttpRequest, row: LadderFile) -> HttpResponse:
        at = parse_datetime(request.GET["as_of"])
        text = source_as_of(row, at) if at else None
        if text is None:
            raise Http404
        kind = SORT_KINDS[self.sort.name]
        try:
            document = read_file(self.sort, text, row=row)
        except BrokenDocument as error:
            messages.error(request, f"It can't be read as it was then: {error.problems[0]}.")
            return go(request, self.change_url(row))
        return imports.preview_page(self, request, kind, row, document, text)

    @action(description="Export as YAML", icon="download", permissions=["view"])
    def export_yaml(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """The file as YAML."""
        return ladder_file(self, request, self.row(request, object_id), "yaml")

    @action(description="Export as JSON", icon="download", permissions=["view"])
    def export_json(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """The file as JSON."""
        return ladder_file(self, request, self.row(request, object_id), "json")
