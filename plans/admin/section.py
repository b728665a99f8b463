from typing import Any

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from unfold.admin import StackedInline

from plans.admin.base import TIDY_GROWING, StudyAdmin
from plans.forms.script import QuestionForm, QuestionFormSet, SectionForm
from plans.models import Question, Section
from plans.scripts.summary import neighbours, reading_notes


class QuestionInline(StackedInline):
    model = Question
    form = QuestionForm
    formset = QuestionFormSet
    fields = [
        *("text", "objective", "guidance", "probes"),
        *(("block_seconds", "key"), "move_to", "position"),
    ]
    formfield_overrides = TIDY_GROWING
    ordering_field = "position"
    hide_ordering_field = True
    collapsible = True
    extra = 0


@admin.register(Section)
class SectionAdmin(StudyAdmin):
    form = SectionForm
    fields = ["title", "key"]
    inlines = [QuestionInline]
    change_form_outer_before_template = "admin/plans/section/around.html"

    class Media:
        js = ["plans/rows.js"]

    def has_module_permission(self, request: HttpRequest) -> bool:
        return False

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        return redirect("admin:plans_script_changelist")

    def change_form_context(self, request: HttpRequest, row: Section | None) -> dict[str, Any]:
        if row is None:
            return {}
        before, after = neighbours(row)
        return {"before": before, "after": after, "notes": reading_notes(row.script)}

    def response_post_save_change(self, request: HttpRequest, obj: Section) -> HttpResponse:
        return redirect(self.change_url(obj.script))

    def delete_model(self, request: HttpRequest, obj: Section) -> None:
        request.script_url = self.change_url(obj.script)  # type: ignore[attr-defined]
        super().delete_model(request, obj)

    def response_delete(self, request: HttpRequest, obj_display: str, obj_id: int) -> HttpResponse:
        self.message_user(request, f"The section “{obj_display}” is deleted.")
        return redirect(getattr(request, "script_url", reverse("admin:plans_script_changelist")))

    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: Any = None
    ) -> HttpResponse:
        script = self.row(request, object_id).script
        return redirect("admin:plans_script_history", script.pk)
