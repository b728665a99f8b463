"""The admin of experts, who each read whole interviews."""

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

SHOWN = 180  # characters of what somebody looks for


@admin.register(Expert)
class ExpertAdmin(StudyAdmin):
    """Experts: a list that is dragged into order, and a form with all that they are told."""

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
        """What they look for, as far as a row has room."""
        told = expert.looks_for
        return told if len(told) <= SHOWN else f"{told[:SHOWN].rsplit(' ', 1)[0]}…"

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        """With how much this expert has read."""
        if expert := context.get("original"):
            context["read"] = _made(expert).filter(status=Job.Status.READY).count()
        response: HttpResponse = super().render_change_form(request, context, *args, **kwargs)
        return response

    def delete_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """With what becomes of what they made."""
        expert = self.get_object(request, object_id)
        read = _made(expert).exclude(content={}).count() if expert else 0
        response: HttpResponse = super().delete_view(
            request, object_id, {"read": read, **(extra_context or {})}
        )
        return response

    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: Any = None
    ) -> HttpResponse:
        """What was changed in the expert."""
        expert = self.row(request, object_id)
        return pages.history(self, request, expert, row_history(expert))


def _made(expert: Expert) -> Any:
    """The expert's reflections."""
    return Reflection.objects.filter(name=f"{EXPERT}{expert.key}")
