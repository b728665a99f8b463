from typing import Any

from django import forms
from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from unfold.decorators import display
from unfold.widgets import UnfoldAdminTextareaWidget, UnfoldAdminTextInputWidget

from plans.admin import pages
from plans.admin.base import StudyAdmin
from plans.bots.history import row_history
from plans.forms.fields import TidyText
from plans.jobs import Job
from plans.models.copies import next_position
from plans.portability.keys import make_key
from reflections.models import EXPERT, Expert, Reflection

LONGEST = 12_000  # characters of instructions


class ExpertForm(forms.ModelForm):  # type: ignore[type-arg]  # Django's own is untyped here
    looks_for = TidyText(
        label="What the expert looks for",
        max_length=1_000,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 3}),
        help_text="In a sentence or two: which aspects of a person or a life. Shown in the list "
        "and with each reflection.",
    )
    instructions = TidyText(
        max_length=LONGEST,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 22}),
        help_text="How the expert works: what to look at, which questions to ask of the text, and "
        "what to leave alone. The model reads this before the interview. It already knows that "
        "every observation needs a quote and that nothing may be made up.",
    )
    key = forms.SlugField(
        required=False,
        max_length=50,
        widget=UnfoldAdminTextInputWidget(attrs={"placeholder": "filled in if left empty"}),
        help_text=Expert._meta.get_field("key").help_text,
    )

    class Meta:
        model = Expert
        fields = ["name", "looks_for", "instructions", "active", "key"]

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or {}
        if not data.get("key") and "key" not in self.errors:
            others = Expert.objects.exclude(pk=self.instance.pk)
            taken = set(others.values_list("key", flat=True))
            data["key"] = make_key(data.get("name") or "", taken, "expert")
        return data

    def save(self, commit: bool = True) -> Expert:
        if self.instance.pk is None:
            taken = Expert.objects.values_list("position", flat=True)
            self.instance.position = next_position(taken)
        expert: Expert = super().save(commit)
        return expert


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
    search_help_text = "Name, key, instructions"
    change_form_outer_before_template = "admin/reflections/expert/around.html"
    delete_confirmation_template = "admin/reflections/expert/delete.html"
    how_to_begin = (
        "An expert reads a whole interview and writes observations, each with quotes. Add one: a "
        "name, what they look for, and how they work."
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
