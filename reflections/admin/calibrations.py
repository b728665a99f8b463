"""The admin of calibrations: to find them, to read them, to ask for another one."""

from typing import Any
from urllib.parse import parse_qs

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from unfold.contrib.filters.admin import ChoicesDropdownFilter, RelatedDropdownFilter
from unfold.decorators import display

from interviews.admin import querysets
from interviews.admin.access_log import record_seen
from interviews.admin.base import FieldworkAdmin, session_link, user_of
from interviews.admin.querysets import who_for
from interviews.choices import ENDED
from interviews.models import Session
from plans.admin.base import StudyAdmin, moment
from plans.jobs import UNDER_WAY
from reflections.admin.calibration_page import shown_of
from reflections.admin.calibration_plot import in_words
from reflections.admin.calibration_request import CalibrationRequest, begun, looked_at, opened
from reflections.calibration.calibrations import headline_of, retry
from reflections.models import Calibration

SEEN = "Read a calibration."
PAGE = "admin/reflections/calibration.html"
NEW = "admin/reflections/calibration_new.html"
CHOOSE = "admin/reflections/calibration_choose.html"
SESSIONS = "interviews.view_session"
OFFERED = 20  # interviews to choose from
STATES = {"Waiting": "info", "Being made": "info", "Ready": "success", "Failed": "danger"}
WAYS = {"held_out": "Held-out questions", "questionnaire": "Questionnaire"}


@admin.register(Calibration)
class CalibrationAdmin(FieldworkAdmin):
    """How well replicas answer: a list, a page with the figures, and a form for another one."""

    list_display = ["interview", "bot", "way", "badge", "figure", "created_by", "made"]
    list_filter = [
        ("session__bot", RelatedDropdownFilter),
        ("method", ChoicesDropdownFilter),
        ("status", ChoicesDropdownFilter),
    ]
    list_display_links = ["figure"]
    search_fields = ["session__id"]
    search_help_text = "Searches interviews’ ids"
    ordering = ["-id"]
    how_to_begin = (
        "A replica is an agent that answers as a participant would. A calibration shows how well "
        "it does. It is of one interview that is over."
    )

    class Media:
        css = {
            "all": ["interviews/admin.css", "reflections/report.css", "reflections/calibration.css"]
        }

    def get_queryset(self, request: HttpRequest) -> QuerySet[Calibration]:
        rows: QuerySet[Calibration] = super().get_queryset(request)
        return rows.select_related("session__bot", "session__participant").defer(
            "session__state", "session__params"
        )

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Asked for by people, unlike other rows here."""
        return StudyAdmin.has_add_permission(self, request)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Only with the whole interview: a figure that doesn't please stays on record."""
        return False

    # -- the list

    @display(description="Interview")
    def interview(self, row: Calibration) -> str:
        """A link to it."""
        return session_link(row.session, querysets.who(row.session))

    @display(description="Bot", ordering="session__bot", empty_value="deleted")
    def bot(self, row: Calibration) -> str | None:
        """Whose interview."""
        return str(row.session.bot) if row.session.bot else None

    @display(description="Method", ordering="method")
    def way(self, row: Calibration) -> str:
        """In short."""
        return WAYS[row.method]

    @display(description="State", ordering="status", label=STATES)
    def badge(self, row: Calibration) -> str:
        """How far it is."""
        return row.get_status_display()

    @display(description="Replica")
    def figure(self, row: Calibration) -> str:
        """Its agreement or accuracy, with the interval."""
        mean = headline_of(row)
        return f"{in_words(mean)}, n = {mean.n}" if mean else "open"

    @display(description="Made", ordering="finished_at")
    def made(self, row: Calibration) -> str:
        """When."""
        return moment(row.finished_at) if row.finished_at else ""

    # -- the page

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """The figures; or the form for another one."""
        if object_id is None:
            return self._new(request)
        row = self.row(request, object_id)
        if request.method == "POST":
            return self._again(request, row)
        record_seen(request.user, row.session, SEEN)
        return self.page(
            request,
            PAGE,
            row,
            title=str(row),
            who=who_for(request, row.session),
            shown=shown_of(request, row),
            waits=row.status in UNDER_WAY,
            may_add=self.has_add_permission(request),
        )

    def _again(self, request: HttpRequest, row: Calibration) -> HttpResponse:
        if not self.has_add_permission(request):
            raise PermissionDenied
        with transaction.atomic():
            again = retry(row)
        if again:
            messages.success(request, "It is begun once more.")
        return redirect(self.change_url(row))

    # -- another one

    def _new(self, request: HttpRequest) -> HttpResponse:
        if not self.has_add_permission(request):
            raise PermissionDenied
        session = _session(request)
        if session is None:
            return self._choose(request)
        asking = opened(session)
        if request.method == "POST":
            asking = looked_at(session, request.POST, request.FILES)
            if asking.forecast and request.POST.get("do") == "start":
                return self._start(request, session, asking)
        return self._asked(request, session, asking)

    def _start(
        self, request: HttpRequest, session: Session, asking: CalibrationRequest
    ) -> HttpResponse:
        row, said = begun(session, asking, user_of(request).get_username())
        messages.success(request, said)
        return redirect(self.change_url(row))

    def _asked(
        self, request: HttpRequest, session: Session, asking: CalibrationRequest
    ) -> HttpResponse:
        who = who_for(request, session)
        page = self.page(
            request, NEW, None, title="New calibration", session=session, who=who, asking=asking
        )
        page.status_code = 400 if asking.wrong else 200
        return page

    def _choose(self, request: HttpRequest) -> HttpResponse:
        """The latest interviews that are over, for who may see interviews."""
        sessions: list[Session] = []
        if request.user.has_perm(SESSIONS):
            over = Session.objects.filter(status__in=ENDED).select_related("bot")
            sessions = list(over.order_by("-started_at")[:OFFERED])
        offered = [(one, who_for(request, one)) for one in sessions]
        return self.page(request, CHOOSE, None, title="New calibration", offered=offered)


def _session(request: HttpRequest) -> Session | None:
    """The interview that the address names, itself or as the filter of the list it comes from."""
    kept = parse_qs(request.GET.get("_changelist_filters", ""))
    named = request.GET.get("session") or kept.get("session__id__exact", [""])[0]
    try:
        return Session.objects.filter(pk=named, status__in=ENDED).first() if named else None
    except (ValueError, ValidationError):
        return None
