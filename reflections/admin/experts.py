from typing import Any

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from unfold.decorators import display

from plans.admin import pages
from plans.admin.base import StudyAdmin
from plans.bots.history import row_history
from plans.jobs import Job
from reflections.admin.expert_form import ExpertForm
from reflections.models import EXPERT, Expert, Reflection

SHOWN = 180  # characters of `looks_for`


@admin.register(Expert)
class ExpertAdmin(StudyAdmin):
    form = ExpertForm
    list_display = ["name", "short", "active", "position"]
    list_display_links = ["name"]
    list_editable = ["active"]
    ordering_field = "position"
    hide_ordering_field = True
    search_fields = ["name", "key", "looks_for", "instructions"]
    search_help_text = "Name, key, words of the instructions"
    change_form_outer_before_template = "admin/reflections/expert/around.html"
    delete_confirmation_template = "admin/reflections/expert/delete.html"
    how_to_begin = (
        "An expert reads a whole interview and writes down what they observe, each observation "
        "with quotes. Add one: a name, what they look for, and how they work."
    )

    @display(description="Looks for")
    def short(self, expert: Expert) -> str:
        text = expert.looks_for
        return text if len(text) <= SHOWN else f"{text[:SHOWN].rsplit(' ', 1)[0]}…"

    def change_form_context(self, request: HttpRequest, row: Expert | None) -> dict[str, Any]:
        if row is None:
            return {}
        return {"read": _reflections_of(row).filter(status=Job.Status.READY).count()}

    def delete_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        expert = self.get_object(request, object_id)
        read = _reflections_of(expert).exclude(content={}).count() if expert else 0
        context = {"read": read, **(extra_context or {})}
        response: HttpResponse = super().delete_view(request, object_id, context)
        return response

    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: Any = None
    ) -> HttpResponse:
        expert = self.row(request, object_id)
        return pages.history(self, request, expert, row_history(expert))


def _reflections_of(expert: Expert) -> Any:
    return Reflection.objects.filter(name=f"{EXPERT}{expert.key}")
