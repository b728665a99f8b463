from collections.abc import Iterable
from datetime import datetime
from typing import Any, ClassVar

from django import forms
from django.contrib import admin, messages
from django.db.models import Prefetch, QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from unfold.decorators import action, display
from unfold.widgets import UnfoldAdminTextInputWidget

from plans.admin import imports
from plans.admin.dialogs import CopyForm, dialog, go
from plans.admin.exports import download
from plans.admin.files import FileActions
from plans.bots.history import row_history, source_as_of
from plans.bots.teams import is_shared, visible
from plans.forms.fields import PLAIN_LATIN
from plans.forms.imports import ImportForm
from plans.models import Bot, LadderConcept, LadderFile, LadderMethodology
from plans.portability.formats import MEDIA, Format
from plans.portability.problems import BrokenDocument
from plans.protocols.laddering.files import (
    CONCEPT,
    METHODOLOGY,
    LadderDocument,
    LadderKind,
    apply_file,
    content_of,
    duplicate_ladder,
    file_changes,
    file_text,
    free_ladder_key,
    ladder_copy_name,
    read_file,
    stored_file,
)
from plans.protocols.laddering.forms import (
    ConceptForm,
    LadderForm,
    LadderImportForm,
    MethodologyForm,
)
from plans.protocols.laddering.preview import file_preview
from plans.protocols.laddering.schema.shipped import starter_text

DESCRIPTION = "Copies the whole text, including comments. No bot uses it yet."


class CopyLadderForm(CopyForm):
    key = forms.SlugField(
        label="ID",
        max_length=60,
        widget=UnfoldAdminTextInputWidget(),
        error_messages=PLAIN_LATIN,
        help_text="Latin letters, digits, - and _. The ID tells files apart.",
    )
    name = forms.CharField(
        max_length=200, widget=UnfoldAdminTextInputWidget(), help_text="For you and your team."
    )

    suggested = {"key": free_ladder_key, "name": ladder_copy_name}

    def clean_key(self) -> str:
        key = str(self.cleaned_data["key"])
        if self.model._default_manager.filter(key=key).exists():
            name = self.model._meta.verbose_name
            raise forms.ValidationError(f"There is already a {name} with that ID.")
        return key


def duplicate_action(kind: LadderKind) -> Any:
    form = type("CopyLadderForm", (CopyLadderForm,), {"model": kind.model})
    asks = dialog(f"Duplicate this {kind.name}", DESCRIPTION, "Duplicate", form)

    @action(description="Duplicate", icon="content_copy", permissions=["add"], dialog=asks)
    def duplicate(
        admin: Any, request: HttpRequest, form: CopyLadderForm, object_id: str
    ) -> HttpResponse:
        row = admin.row(request, object_id)
        try:
            copy = duplicate_ladder(row, form.cleaned_data["key"], form.cleaned_data["name"])
        except BrokenDocument as error:
            messages.error(request, f"“{row}” can't be read: {error.problems[0]}.")
            return go(request, admin.change_url(row))
        messages.success(request, f"This is the copy, “{copy}”. The original is unchanged.")
        return go(request, admin.change_url(copy))

    return duplicate


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


@admin.register(LadderConcept)
class LadderConceptAdmin(LadderAdmin):
    kind = CONCEPT
    duplicate = duplicate_action(CONCEPT)
    form = ConceptForm
    list_display = ["name", "id_of", "elements", "used_by", "saved"]
    how_to_begin = (
        "A concept says what an interview explores: a topic, what is believed about it, and the "
        "elements to reach. Add one, or import a file."
    )

    @display(description="Elements", empty_value="can't be read")
    def elements(self, row: LadderConcept) -> int | None:
        content: Any = content_of(row)
        return len(content.elements) if content else None


@admin.register(LadderMethodology)
class LadderMethodologyAdmin(LadderAdmin):
    kind = METHODOLOGY
    duplicate = duplicate_action(METHODOLOGY)
    form = MethodologyForm
    list_display = ["name", "id_of", "strategies", "used_by", "saved"]
    how_to_begin = (
        "A methodology says how an interview explores: the rungs of a ladder, the ways of asking, "
        "and when each is chosen. Add one, which starts as a small example, or import a file."
    )

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse changes of what isn't the team's own. Unfold passes a key for an action."""
        allowed = super().has_change_permission(request, obj)
        row = self.get_object(request, str(obj)) if isinstance(obj, int | str) else obj
        return bool(allowed and not (row and is_shared(row, request.user)))

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        allowed = super().has_delete_permission(request, obj)
        return bool(allowed and not (obj and is_shared(obj, request.user)))

    @display(description="Strategies", empty_value="can't be read")
    def strategies(self, row: LadderMethodology) -> int | None:
        content: Any = content_of(row)
        return len(content.strategies) if content else None
