from typing import Any
from urllib.parse import parse_qs

from django.contrib import admin, messages
from django.db import transaction
from django.db.models import Count, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.defaultfilters import pluralize
from unfold.contrib.filters.admin import ChoicesDropdownFilter
from unfold.decorators import display

from interviews.admin.access_log import record_seen
from interviews.admin.base import user_of
from interviews.admin.querysets import who_for
from interviews.choices import ENDED
from interviews.models import Session
from llm.routing.routes import NO_MODEL, has_model
from plans.admin.base import StudyAdmin, TeamDropdownFilter, by_key, require
from plans.bots.teams import visible
from plans.jobs import UNDER_WAY
from plans.models import Bot
from reflections.admin.calibration_page import calibration_view
from reflections.admin.calibration_plot import in_words
from reflections.admin.calibration_request import CalibrationRequest, new_request, submitted_request
from reflections.admin.reflections import ResultAdmin
from reflections.batches.progress import Progress
from reflections.calibration import calibrations
from reflections.models import Calibration

SEEN = "Read a calibration."
PAGE = "admin/reflections/calibration.html"
NEW = "admin/reflections/calibration_new.html"
CHOOSE = "admin/reflections/calibration_choose.html"
OF_BOT = "admin/reflections/calibration_of_bot.html"
SESSIONS, MAKE = "interviews.view_session", "reflections.add_calibration"
OFFERED = 20  # interviews to choose from


@admin.register(Calibration)
class CalibrationAdmin(ResultAdmin):
    list_display = ["interview", "bot", "method", "badge", "figure", "by", "made"]
    list_filter = [
        ("session__bot", TeamDropdownFilter),
        ("method", ChoicesDropdownFilter),
        ("status", ChoicesDropdownFilter),
    ]
    list_display_links = ["figure"]
    search_fields = ["session__id"]
    search_help_text = "Searches interview IDs"
    ordering = ["-id"]
    how_to_begin = (
        "A replica is an agent that answers as a participant would. A calibration shows how well "
        "it does, for one finished interview or all of a bot’s."
    )

    class Media:
        css = {
            "all": [
                *("interviews/admin.css", "reflections/report.css"),
                *("reflections/calibration.css", "reflections/panel.css"),
            ]
        }
        js = ["reflections/print.js"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Calibration]:
        rows: QuerySet[Calibration] = super().get_queryset(request)
        return rows.select_related("session__bot", "session__participant").defer(
            "session__state", "session__params"
        )

    has_add_permission = StudyAdmin.has_add_permission

    # -- the list

    @display(description="Requested by", ordering="created_by")
    def by(self, row: Calibration) -> str:
        return row.created_by or "the bot"

    @display(description="Agreement or accuracy")
    def figure(self, row: Calibration) -> str:
        mean = calibrations.headline_of(row)
        if mean is None:
            return "failed: see why" if row.status == row.Status.FAILED else "not yet"
        return f"{in_words(mean)}, n = {mean.n}"

    # -- the page

    def changeform_view(
        self, request: HttpRequest, object_id: str | None = None, *args: Any, **kwargs: Any
    ) -> HttpResponse:
        if object_id is None:
            return self._new_page(request)
        row = self.row(request, object_id)
        if request.method == "POST":
            return self._try_again(request, row)
        record_seen(request.user, row.session, SEEN)
        return self.page(
            request,
            PAGE,
            row,
            title=str(row),
            who=who_for(request, row.session),
            shown=calibration_view(request, row),
            waits=row.status in UNDER_WAY,
            may_add=self.has_add_permission(request),
        )

    def _try_again(self, request: HttpRequest, row: Calibration) -> HttpResponse:
        require(request, MAKE)
        with transaction.atomic():
            retried = calibrations.retry(row)
        if retried:
            messages.success(request, "Started again.")
        return redirect(self.change_url(row))

    # -- another one

    def _new_page(self, request: HttpRequest) -> HttpResponse:
        require(request, MAKE)
        if request.GET.get("bot", "").isdecimal():
            bots = visible(Bot.objects.all(), request.user)
            return self._bot_page(request, get_object_or_404(bots, pk=request.GET["bot"]))
        session = _requested_session(request)
        if session is None:
            return self._choice_page(request)
        asking = new_request()
        if request.method == "POST":
            asking = submitted_request(session, request.POST, request.FILES)
            if asking.options and request.POST.get("do") == "start":
                return self._start(request, session, asking.options)
        return self._form_page(request, session, asking)

    def _bot_page(self, request: HttpRequest, bot: Bot) -> HttpResponse:
        if request.method == "POST":
            count = calibrations.request_all(bot, user_of(request).get_username())
            messages.success(request, f"{count:,} calibration{pluralize(count)} started.")
            return redirect(request.get_full_path())
        made = Calibration.objects.filter(session__bot=bot, method=Calibration.Method.HELD_OUT)
        counts = dict(made.order_by().values_list("status").annotate(Count("pk")))
        progress = Progress(**counts, hindered=0 if has_model() else counts.get("pending", 0))
        title = f"Calibrations of “{bot}”"
        context = {"bot": bot, "progress": progress, "coming": calibrations.forecast_all(bot)}
        return self.page(request, OF_BOT, bot, title=title, no_model=NO_MODEL, **context)

    def _start(
        self, request: HttpRequest, session: Session, options: calibrations.Options
    ) -> HttpResponse:
        row, new = calibrations.request(session, options, user_of(request).get_username())
        told = "Started." if new else "The same calibration is already in progress."
        messages.success(request, told)
        return redirect(self.change_url(row))

    def _form_page(
        self, request: HttpRequest, session: Session, asking: CalibrationRequest
    ) -> HttpResponse:
        context = {"session": session, "who": who_for(request, session), "has_model": has_model()}
        page = self.page(request, NEW, None, title="New calibration", asking=asking, **context)
        page.status_code = 400 if asking.wrong else 200
        return page

    def _choice_page(self, request: HttpRequest) -> HttpResponse:
        real = Session.objects.filter(status__in=ENDED, synthetic=False, preview=False)
        latest = visible(real, request.user).select_related("bot").order_by("-started_at")
        sessions = latest[:OFFERED] if request.user.has_perm(SESSIONS) else ()
        offered = [(session, who_for(request, session)) for session in sessions]
        bots = visible(Bot.objects.filter(sessions__in=real), request.user)
        bots = bots.distinct().order_by("title")
        context = {"offered": offered, "bots": bots}
        return self.page(request, CHOOSE, None, title="New calibration", **context)


def _requested_session(request: HttpRequest) -> Session | None:
    filters = parse_qs(request.GET.get("_changelist_filters", ""))
    pk = request.GET.get("session") or filters.get("session__id__exact", [""])[0]
    return by_key(visible(Session.objects.filter(status__in=ENDED), request.user), pk).first()
