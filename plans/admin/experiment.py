"""The admin of experiments: arms, weights and strata; what is missing before they go live."""

from collections.abc import Sequence
from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.html import format_html_join
from unfold.admin import TabularInline
from unfold.decorators import action, display
from unfold.forms import PaginationInlineFormSet

from plans.admin.base import OVERVIEW, StudyAdmin, TeamRows
from plans.bots.experiments import experiment_gaps
from plans.forms.fields import Names
from plans.forms.rows import SeenForm
from plans.models import Experiment, ExperimentArm

BADGES = {"Draft": "info", "Live": "success"}
DESIGN = ("rounds", "strata", "seed")  # fixed once somebody has started


class ExperimentForm(SeenForm):
    strata = Names(
        label="Even within",
        required=False,
        help_text="Names of link parameters or start questions, such as gender, or language, "
        "separated by commas. Each combination of their values gets blocks of its own.",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in set(DESIGN) & set(self.fields):
            self.fields[name].disabled = has_begun(self.instance)

    def records(self) -> list[QuerySet[Any]]:
        return [Experiment.history.filter(id=self.instance.pk)]


def has_begun(row: Experiment | None) -> bool:
    if row is None or row.pk is None:
        return False
    return row.arms.filter(assignments__isnull=False).exists()


class ArmFormSet(PaginationInlineFormSet):
    def get_unique_error_message(self, unique_check: Sequence[str]) -> str:
        return "Two arms have the same name. Each needs its own, to tell them apart in exports."

    def get_form_error(self) -> str:
        return "Another arm has this name."


class ArmInline(TeamRows, TabularInline):
    model = ExperimentArm
    formset = ArmFormSet
    fields = ["name", "bot", "plan", "weight", "target"]
    autocomplete_fields = ["bot"]
    extra = 0
    min_num = 2
    hide_title = True
    verbose_name = "arm"
    verbose_name_plural = "Arms"

    def formfield_for_foreignkey(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        field: Any = super().formfield_for_foreignkey(db_field, request, **kwargs)
        if db_field.name == "plan":
            field.empty_label = "As it is now"
        return field

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_change_permission(request, obj) and not has_begun(obj)

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_add_permission(request, obj) and not has_begun(obj)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_delete_permission(request, obj) and not has_begun(obj)


@admin.register(Experiment)
class ExperimentAdmin(StudyAdmin):
    form = ExperimentForm
    fields = ["title", "slug", "status", *DESIGN]
    inlines = [ArmInline]
    list_display = ["title", "badge", "arms_shown", "address"]
    list_filter = ["status"]
    search_fields = ["title", "slug"]
    search_help_text = "Title, address"
    actions_detail = ["results"]
    change_form_outer_before_template = "admin/plans/experiment/around.html"
    change_form_before_template = "admin/plans/seen.html"
    how_to_begin = (
        "An experiment is one link whose participants are sent to several bots at random, evenly. "
        "Make the bots first."
    )

    def get_prepopulated_fields(
        self, request: HttpRequest, obj: Any = None
    ) -> dict[str, tuple[str, ...]]:
        return {} if obj else {"slug": ("title",)}

    def change_form_context(self, request: HttpRequest, row: Experiment | None) -> dict[str, Any]:
        return {"gaps": experiment_gaps(row)} if row else {}

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        super().save_related(request, form, formsets, change)
        row = form.instance
        gaps = experiment_gaps(row) if row.status == Experiment.Status.LIVE else []
        just_opened = "status" in form.changed_data
        if gaps and just_opened:
            Experiment.objects.filter(pk=row.pk).update(status=Experiment.Status.DRAFT)
        if gaps:
            how = "Not live yet." if just_opened else "It is live, but something is missing."
            messages.warning(request, format_html_join(" ", "{}", ((one,) for one in (how, *gaps))))

    @display(description="Status", ordering="status", label=BADGES)
    def badge(self, row: Experiment) -> str:
        return row.get_status_display()

    @display(description="Arms")
    def arms_shown(self, row: Experiment) -> str:
        return ", ".join(arm.name for arm in row.arms.all())

    @display(description="Address", ordering="slug")
    def address(self, row: Experiment) -> str:
        return row.public_path

    @action(description="Results", icon="monitoring", permissions=["results"])
    def results(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return redirect("admin:interviews_session_experiment", self.row(request, object_id).pk)

    def has_results_permission(self, request: HttpRequest, object_id: Any = None) -> bool:
        return any(map(request.user.has_perm, OVERVIEW))
