from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet, Value
from django.db.models.functions import Coalesce
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import path
from unfold.contrib.filters.admin import ChoicesDropdownFilter
from unfold.decorators import action, display

from interviews.admin import export_page
from interviews.admin.access_log import record_seen
from interviews.admin.base import FieldworkAdmin, session_link, user_of
from interviews.admin.querysets import who
from interviews.exports.downloads import record_download
from interviews.exports.selection import Selection
from plans.admin.base import TeamDropdownFilter, bot_column, time_column
from plans.admin.exports import download
from plans.bots.teams import visible
from plans.models import Bot
from reflections.admin import panel
from reflections.admin.product_page import STATE_TONES, page_of, review_page
from reflections.admin.review_forms import ReviewForms
from reflections.exports.files import file_of
from reflections.jobs import IsReviewed, run_again
from reflections.models import Batch, Calibration, Evaluation, Judgement, Reflection, Review

STATES = {"Waiting": "info", "In progress": "info", "Ready": "success", "Failed": "danger"}
SEEN = "Read a reflection."
PAGE = "admin/reflections/page.html"
MAKERS = {"model": "A model", "fallback_model": "The stand-in model", "rules": "Rules"}
REVIEWED = {str(label): STATE_TONES[value] for value, label in Judgement.State.choices}


class ReviewFilter(admin.SimpleListFilter):
    title = "review"
    parameter_name = "review"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(str(value), str(label)) for value, label in Judgement.State.choices]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return queryset.filter(reviewed_as=self.value()) if self.value() else queryset


class RunsAdmin(FieldworkAdmin):
    """Work on a bot's interviews, begun on a page of its own."""

    list_select_related = ["bot"]
    ordering = ["-id"]
    new_page: Any  # the view of that page
    of_bot = bot_column("bot")
    begun = time_column("Started", "created_at")

    @display(description="By", ordering="created_by")
    def by(self, row: Batch | Evaluation) -> str:
        return row.created_by

    def get_urls(self) -> list[Any]:
        new, name = self.admin_site.admin_view(self.new_page), self.opts.model_name
        own = path("bot/<int:key>/", new, name=f"reflections_{name}_of_bot")
        return [own, *super().get_urls()]

    def bot_at(self, request: HttpRequest, key: int) -> Bot:
        return get_object_or_404(visible(Bot.objects.all(), request.user), pk=key)


class ResultAdmin(FieldworkAdmin):
    """What is made of an interview: the columns that its lists share.

    Results are deleted only with the interview: unwelcome ones stay on record.
    """

    @display(description="Interview")
    def interview(self, row: Reflection | Calibration) -> str:
        return session_link(row.session, who(row.session))

    bot = bot_column("session__bot")

    @display(description="State", ordering="status", label=STATES)
    def badge(self, row: Reflection | Calibration) -> str:
        return row.get_status_display()

    made = time_column("Generated", "finished_at")


@admin.register(Reflection)
class ReflectionAdmin(ResultAdmin):
    list_display = ["product", "bot", "interview", "badge", "reviewed", "maker", "made"]
    list_filter = [
        "name",
        ("session__bot", TeamDropdownFilter),
        ("status", ChoicesDropdownFilter),
        ReviewFilter,
    ]
    search_fields = ["session__id", "name"]
    search_help_text = "Searches interview IDs and results"
    ordering = ["-id"]
    actions_detail = ["download"]
    how_to_begin = "Results of interviews, such as summaries and reports, appear here."

    class Media:
        css = {
            "all": [
                *("interviews/admin.css", "reflections/report.css"),
                *("reflections/transfer.css", "reflections/told.css"),
            ]
        }
        js = ["reflections/told.js", "reflections/print.js"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Reflection]:
        rows: QuerySet[Reflection] = super().get_queryset(request)
        draft = Value(str(Judgement.State.DRAFT))
        return (
            rows.select_related("session__bot", "session__participant")
            .defer("session__params")
            .annotate(reviewed_as=Coalesce("review__state", draft))
        )

    def get_urls(self) -> list[Any]:
        view = self.admin_site.admin_view
        return [
            path("of/<uuid:key>/", view(panel.news), name="reflections_reflection_panel"),
            path("of/<uuid:key>/make/", view(panel.make_one), name="reflections_reflection_make"),
            *super().get_urls(),
        ]

    # -- the list

    @display(description="Result", ordering="name")
    def product(self, row: Reflection) -> str:
        return row.title

    @display(description="Review", ordering="reviewed_as", label=REVIEWED)
    def reviewed(self, row: Reflection) -> str:
        return str(Judgement.State(row.reviewed_as).label)  # type: ignore[attr-defined]

    @display(description="Written by")
    def maker(self, row: Reflection) -> str:
        return MAKERS.get(row.content.get("made_by", ""), "")

    # -- the page

    def changeform_view(
        self, request: HttpRequest, object_id: str | None = None, *args: Any, **kwargs: Any
    ) -> HttpResponse:
        row = self.row(request, object_id or "")
        record_seen(request.user, row.session, SEEN)

        def show(review: Review, reviewing: ReviewForms) -> HttpResponse:
            # `change` and `object_id` make Unfold show the row's actions.
            context = {"page": page_of(request, row, review, reviewing), "change": True}
            title, key = str(row), str(row.pk)
            return self.page(request, PAGE, row, title=title, object_id=key, **context)

        return review_page(request, row, show, lambda: self._make_again(request, row))

    def _make_again(self, request: HttpRequest, row: Reflection) -> HttpResponse:
        try:
            run_again(row)
        except IsReviewed as error:
            messages.error(request, str(error))
        else:
            messages.success(request, "Regenerating. The current version stays until then.")
        return redirect(self.change_url(row))

    def has_export_permission(self, request: HttpRequest, object_id: Any = None) -> bool:
        return export_page.may_export(request)

    @action(description="Download", icon="download", permissions=["view", "export"])
    def download(self, request: HttpRequest, object_id: str) -> HttpResponse:
        row, form = self.row(request, object_id), request.GET.get("as", "json")
        file = file_of(row, form)
        if file is None:
            raise Http404("There is no such file.")
        chosen = Selection(sessions=(row.session_id,), synthetic=True, previews=True)
        record_download(user_of(request), row.session.bot, row.name, form, chosen)
        return download(*file)
