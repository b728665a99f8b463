from typing import Any

from django.contrib import admin, messages
from django.db.models import Count, QuerySet, Sum
from django.http import Http404, HttpRequest, HttpResponse
from django.template.defaultfilters import pluralize
from django.urls import reverse
from django.utils.dateparse import parse_datetime
from django.utils.html import format_html
from django.utils.safestring import SafeString
from unfold.admin import TabularInline
from unfold.decorators import action, display

from llm.languages import language_name
from plans.admin import exports, imports, pages
from plans.admin.base import StudyAdmin, bots_linked, moment
from plans.admin.dialogs import CopyScriptForm, go
from plans.bots.history import script_as_of, script_history
from plans.forms.script import SectionFormSet, SectionRowForm
from plans.models import Script, Section
from plans.portability.writer import write
from plans.scripts.duplicate import duplicate_script
from plans.scripts.preview import minutes, spoken_time
from plans.scripts.summary import script_summary

COPY = {
    "title": "Duplicate this script",
    "description": "Makes a copy with all sections and questions. No bot uses it yet.",
    "form_class": CopyScriptForm,
    "form_submit_text": "Duplicate",
}


class SectionInline(TabularInline):
    model = Section
    form = SectionRowForm
    formset = SectionFormSet
    fields = ["title", "questions_of", "key", "position"]
    readonly_fields = ["questions_of"]
    ordering_field = "position"
    hide_ordering_field = True
    hide_title = True
    extra = 0

    def get_queryset(self, request: HttpRequest) -> QuerySet[Section]:
        sections = super().get_queryset(request).annotate(n_questions=Count("questions"))
        queryset: QuerySet[Section] = sections.order_by("position", "id")
        return queryset

    @display(description="Questions")
    def questions_of(self, section: Any) -> SafeString | str:
        if section.pk is None:
            return "Save, then write them"
        url = reverse("admin:plans_section_change", args=[section.pk])
        label = f"{section.n_questions} question{pluralize(section.n_questions)}"
        return format_html('<a class="study-link" href="{}">{} →</a>', url, label)


@admin.register(Script)
class ScriptAdmin(StudyAdmin):
    list_display = ["name", "tongue", "section_count", "question_count", "time", "used_by", "saved"]
    list_filter = ["language"]
    search_fields = ["name", "intro", "sections__title", "sections__questions__text"]
    search_help_text = "Name, section, words of a question"
    list_display_links = ["name"]
    fields = ["name", "language", "intro", "outro"]
    inlines = [SectionInline]
    actions = ["export_selected_yaml", "export_selected_json", "export_selected_csv"]
    actions_list = ["import_new"]
    actions_row = ["preview", "duplicate"]
    actions_detail = [
        "preview",
        "duplicate",
        {
            "title": "Files",
            "icon": "swap_vert",
            "items": ["export_yaml", "export_json", "export_csv", "import_into"],
        },
    ]
    change_form_outer_before_template = "admin/plans/script/overview.html"
    how_to_begin = (
        "A script is what an interview asks, in one language: sections with questions, or topics "
        "with questions from easy to hard. Add one and write, or import a file."
    )

    class Media:
        js = ["plans/rows.js"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Script]:
        counted = (
            super()
            .get_queryset(request)
            .annotate(
                seconds=Sum("sections__questions__block_seconds"),
                n_questions=Count("sections__questions"),
                n_sections=Count("sections", distinct=True),
            )
        )
        queryset: QuerySet[Script] = counted.prefetch_related("bots")
        return queryset

    @display(description="Language", ordering="language")
    def tongue(self, script: Script) -> str:
        return language_name(script.language)

    @display(description="Sections", ordering="n_sections")
    def section_count(self, script: Any) -> int:
        return int(script.n_sections)

    @display(description="Questions", ordering="n_questions")
    def question_count(self, script: Any) -> int:
        return int(script.n_questions)

    @display(description="Time", ordering="seconds")
    def time(self, script: Any) -> str:
        return spoken_time(minutes(script.seconds or 0))

    @display(description="Used by", empty_value="no bot yet")
    def used_by(self, script: Script) -> SafeString | None:
        return bots_linked(script.bots.all())

    @display(description="Saved", ordering="updated_at")
    def saved(self, script: Script) -> str:
        return moment(script.updated_at)

    def change_form_context(self, request: HttpRequest, row: Script | None) -> dict[str, Any]:
        return {"overview": script_summary(row) if row else None}

    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: Any = None
    ) -> HttpResponse:
        script = self.row(request, object_id)
        restore = reverse("admin:plans_script_import_into", args=[script.pk])
        return pages.history(self, request, script, script_history(script), restore)

    @action(
        description="Preview", icon="visibility", permissions=["view"], attrs={"target": "_blank"}
    )
    def preview(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return pages.script_preview(request, self.row(request, object_id))

    @action(description="Duplicate", icon="content_copy", permissions=["add"], dialog=COPY)
    def duplicate(self, request: HttpRequest, form: CopyScriptForm, object_id: str) -> HttpResponse:
        copy = duplicate_script(self.row(request, object_id), form.cleaned_data["name"])
        messages.success(request, f"This is the copy, “{copy}”. The original is unchanged.")
        return go(request, self.change_url(copy))

    @action(description="Import", icon="upload", permissions=["add"], url_path="import")
    def import_new(self, request: HttpRequest) -> HttpResponse:
        return imports.import_page(self, request, imports.NEW_SCRIPT)

    @action(
        description="Import into this one", icon="upload", permissions=["change"], url_path="import"
    )
    def import_into(self, request: HttpRequest, object_id: str) -> HttpResponse:
        script = self.row(request, object_id)
        if "as_of" in request.GET and request.method == "GET":
            return self._preview_earlier(request, script)
        return imports.import_page(self, request, imports.SCRIPT, script)

    def _preview_earlier(self, request: HttpRequest, script: Script) -> HttpResponse:
        at = parse_datetime(request.GET["as_of"])
        document = script_as_of(script, at) if at else None
        if document is None:
            raise Http404
        text = write(document, "json")
        return imports.preview_page(self, request, imports.SCRIPT, script, document, text)

    @action(description="Export as YAML", icon="download", permissions=["view"])
    def export_yaml(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return exports.script_file(self.row(request, object_id), "yaml")

    @action(description="Export as JSON", icon="download", permissions=["view"])
    def export_json(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return exports.script_file(self.row(request, object_id), "json")

    @action(description="Export questions as CSV", icon="download", permissions=["view"])
    def export_csv(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return exports.script_file(self.row(request, object_id), "csv")

    @admin.action(description="Export as YAML", permissions=["view"])
    def export_selected_yaml(
        self, request: HttpRequest, queryset: QuerySet[Script]
    ) -> HttpResponse:
        return exports.scripts_file(queryset, "yaml")

    @admin.action(description="Export as JSON", permissions=["view"])
    def export_selected_json(
        self, request: HttpRequest, queryset: QuerySet[Script]
    ) -> HttpResponse:
        return exports.scripts_file(queryset, "json")

    @admin.action(description="Export questions as CSV", permissions=["view"])
    def export_selected_csv(self, request: HttpRequest, queryset: QuerySet[Script]) -> HttpResponse:
        return exports.scripts_file(queryset, "csv")
