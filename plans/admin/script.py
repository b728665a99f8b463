from datetime import datetime
from typing import Any

from django.contrib import admin, messages
from django.db.models import Count, Prefetch, QuerySet, Sum
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from unfold.decorators import action, display

from llm.languages import language_name
from plans.admin import imports, pages
from plans.admin.base import TIDY_GROWING, PartAdmin, RowsInline
from plans.admin.dialogs import CopyScriptForm, dialog, go
from plans.admin.files import FileActions
from plans.bots.history import script_as_of, script_history
from plans.bots.teams import visible
from plans.forms.script import ScriptForm, SectionFormSet, SectionRowForm
from plans.models import Bot, Script, Section
from plans.portability.documents import ScriptDocument
from plans.portability.formats import write
from plans.scripts import duplicate_script, script_summary, spoken_time

USED_BY_OTHERS = "“{}”: a bot of another team asks its questions. Take it out of your bots instead."
COPY = dialog(
    "Duplicate this script",
    "Creates a copy with all sections and questions. No bot uses it yet.",
    "Duplicate",
    CopyScriptForm,
)


class SectionInline(RowsInline):
    """The editor of all sections and questions, for those who may change the script."""

    model = Section
    form = SectionRowForm
    formset = SectionFormSet
    template = "admin/plans/script/editor.html"

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return bool(request.user.has_perm(f"plans.{'change' if obj else 'add'}_script"))

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return True  # as the script

    has_change_permission = has_delete_permission = has_add_permission


@admin.register(Script)
class ScriptAdmin(FileActions):
    list_display = ["name", "tongue", "section_count", "question_count", "time", "used_by", "saved"]
    list_filter = ["language"]
    search_fields = ["name", "intro", "sections__title", "sections__questions__text"]
    search_help_text = "Name, section, question text"
    list_display_links = ["name"]
    fields = ["name", "language", "intro", "outro"]
    inlines = [SectionInline]
    formfield_overrides = TIDY_GROWING
    warn_unsaved_form = False  # plans/script.js does
    actions = ["export_selected_yaml", "export_selected_json", "export_selected_csv"]
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
    change_form_before_template = "admin/plans/seen.html"
    form = ScriptForm
    preview_of = staticmethod(pages.script_preview)
    saves_of = staticmethod(script_history)
    how_to_begin = (
        "A script holds an interview's questions in one language: sections of questions, or "
        "topics with questions from easy to hard. Add one, or import a file."
    )

    class Media:
        js = ["plans/script.js"]
        css = {"all": ["plans/script.css"]}

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
        bots = Prefetch("bots", visible(Bot.objects.all(), request.user))
        queryset: QuerySet[Script] = counted.prefetch_related(bots)
        return queryset

    def get_deleted_objects(
        self, objs: Any, request: HttpRequest
    ) -> tuple[list[Any], dict[Any, Any], set[str], list[Any]]:
        """Refuse to delete what another team's bot asks, since this user doesn't see that bot."""
        listed, counts, rights, protected = super().get_deleted_objects(objs, request)
        seen = visible(Bot.objects.all(), request.user).values("pk")
        used = Script.objects.filter(bots__in=Bot.objects.exclude(pk__in=seen)).distinct()
        used = used.filter(pk__in=[script.pk for script in objs])
        return listed, counts, rights, [*protected, *map(USED_BY_OTHERS.format, used)]

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
        return spoken_time(script.seconds or 0)

    def change_form_context(self, request: HttpRequest, row: Script | None) -> dict[str, Any]:
        return {"overview": script_summary(row) if row else None}

    @action(description="Duplicate", icon="content_copy", permissions=["add"], dialog=COPY)
    def duplicate(self, request: HttpRequest, form: CopyScriptForm, object_id: str) -> HttpResponse:
        copy = duplicate_script(self.row(request, object_id), form.cleaned_data["name"])
        messages.success(request, f"This is the copy, “{copy}”. The original is unchanged.")
        return go(request, self.change_url(copy))

    def import_kind(self, row: Script | None) -> imports.ImportKind:
        return imports.SCRIPT if row else imports.NEW_SCRIPT

    def earlier(self, row: Script, at: datetime) -> tuple[ScriptDocument, str] | None:
        document = script_as_of(row, at)
        return (document, write(document, "json")) if document else None

    @action(description="Export questions as CSV", icon="download", permissions=["view"])
    def export_csv(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self.export_rows(request, [self.row(request, object_id)], "csv")

    @admin.action(description="Export questions as CSV", permissions=["view"])
    def export_selected_csv(self, request: HttpRequest, queryset: QuerySet[Script]) -> HttpResponse:
        return self.export_rows(request, queryset, "csv")


@admin.register(Section)
class SectionAdmin(PartAdmin):
    """Leads the address of a section to its place in the script."""

    whole = "script"

    def change_view(self, request: HttpRequest, object_id: str, *args: Any) -> HttpResponse:
        section = self.row(request, object_id)
        return redirect(f"{self.whole_url(section)}#section-{section.pk}")

    delete_view = change_view
