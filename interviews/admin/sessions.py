"""The admin of interviews."""

from typing import Any
from uuid import UUID

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.urls import path, reverse
from unfold.contrib.filters.admin import ChoicesDropdownFilter, RelatedDropdownFilter
from unfold.decorators import action, display

from interviews.admin import backlog, deleting, exporting, listing
from interviews.admin.base import STATUS_BADGES, user_of
from interviews.admin.collected import RIGHT as COLLECTED
from interviews.admin.collected import Shown, collected_of
from interviews.admin.graph import GraphPages
from interviews.admin.looking import LookFilter, mark, signs_of
from interviews.admin.rated import RatedFilter
from interviews.admin.seeing import COLLECTED_SEEN, record_seen
from interviews.admin.trace import RIGHT as JUDGED
from interviews.admin.trace import page_of
from interviews.admin.written import RIGHT as MEASURED
from interviews.models import Session
from plans.admin.base import moment
from plans.languages import language_name

TOO_MANY = (
    f"It was said in more than {listing.MOST_FOUND:,} interviews, of which these are some. Search "
    "for more words to find others."
)
NAMES = "interviews.view_participant"


@admin.register(Session)
class SessionAdmin(GraphPages):
    """Interviews: a list to find one, and a page to read it."""

    list_display = [
        "participant_shown",
        "bot_shown",
        "badge",
        "marked",
        "progress_shown",
        "answers_shown",
        "minutes_shown",
        "language_shown",
        "started",
    ]
    list_filter = [
        ("bot", RelatedDropdownFilter),
        ("status", ChoicesDropdownFilter),
        LookFilter,
        "flagged",
        RatedFilter,
        "language",
        "preview",
        "synthetic",
    ]
    date_hierarchy = "started_at"
    search_fields = ["id"]  # the search itself is in listing.py
    search_help_text = "Searches what was said, and ids"
    actions = ["export_selected"]
    actions_list = ["ladders", "export"]
    actions_detail = ["graph", "export_one"]
    list_before_template = "admin/interviews/session/list_before.html"
    change_form_template = "admin/interviews/session/page.html"
    delete_confirmation_template = "admin/interviews/session/delete_confirmation.html"
    how_to_begin = (
        "An interview appears here as soon as somebody begins one. Open a bot and send people the "
        "link of its public page, or try it yourself."
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Session]:
        """As the list and the page need it; names only for who may see them."""
        sessions: QuerySet[Session] = super().get_queryset(request)
        return listing.sessions_listed(sessions, with_names=request.user.has_perm(NAMES))

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Session], search_term: str
    ) -> tuple[QuerySet[Session], bool]:
        """Through what was said."""
        by_name = request.user.has_perm(NAMES)
        found, too_many = listing.sessions_found(queryset, search_term, by_name)
        if too_many:
            messages.warning(request, TOO_MANY)
        return found, False

    def has_export_permission(self, request: HttpRequest, object_id: Any = None) -> bool:
        """Asked by the actions."""
        return exporting.may_export(request)

    # -- the list

    @display(description="Participant", ordering="participant")
    def participant_shown(self, session: Session) -> str:
        """Name or pseudonym."""
        return listing.who(session)

    @display(description="Bot", ordering="bot", empty_value="deleted")
    def bot_shown(self, session: Session) -> str | None:
        """By whom."""
        return str(session.bot) if session.bot else None

    @display(description="Status", ordering="status", label=STATUS_BADGES)
    def badge(self, session: Session) -> str:
        """Where it stands."""
        return session.get_status_display()

    @display(description="Marks")
    def marked(self, session: Session) -> str:
        """Flagged, preview, synthetic."""
        return render_to_string("admin/interviews/marks.html", {"marks": listing.marks(session)})

    @display(description="Progress")
    def progress_shown(self, session: Session) -> str:
        """How far it came."""
        return listing.progress(session)

    @display(description="Answers")
    def answers_shown(self, session: Session) -> int:
        """How many."""
        return getattr(session, "answers", None) or 0

    @display(description="Minutes")
    def minutes_shown(self, session: Session) -> int:
        """Without the pauses."""
        return listing.minutes(session)

    @display(description="Language", ordering="language")
    def language_shown(self, session: Session) -> str:
        """By name."""
        return language_name(session.language)

    @display(description="Started", ordering="started_at")
    def started(self, session: Session) -> str:
        """When it began."""
        return moment(session.started_at)

    # -- the page

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """The transcript with the trace of every turn."""
        session = self.get_object(request, object_id) if object_id else None
        if session is not None and self.has_view_permission(request, session):
            record_seen(request.user, session)
            extra_context = {
                **(extra_context or {}),
                "page": page_of(
                    session, request.user.has_perm(JUDGED), request.user.has_perm(MEASURED)
                ),
                "collected": self._collected(request, session),
                "board": backlog.board_of(request, session),
                "signs": signs_of(request, session),
            }
        response: HttpResponse = super().changeform_view(
            request, object_id, form_url, extra_context
        )
        return response

    def get_urls(self) -> list[Any]:
        """With the backlog, which is asked for again while an interview runs."""
        asked = self.admin_site.admin_view(self.backlog_news)
        name = "interviews_session_backlog"
        looked = self.admin_site.admin_view(self.look)
        return [
            path("<uuid:object_id>/backlog/", asked, name=name),
            path("<uuid:object_id>/look/", looked, name="interviews_session_look"),
            *super().get_urls(),
        ]

    def look(self, request: HttpRequest, object_id: UUID) -> HttpResponse:
        """Somebody has looked at an interview with signs of distress."""
        return mark(request, self.row(request, str(object_id)))

    def backlog_news(self, request: HttpRequest, object_id: UUID) -> HttpResponse:
        """What is new in it."""
        session: Session = self.row(request, str(object_id))
        record_seen(request.user, session)
        return backlog.news(request, session)

    def _collected(self, request: HttpRequest, session: Session) -> list[Shown]:
        """What was given in confidence, on record; nothing for who may not see it."""
        values = collected_of(session) if request.user.has_perm(COLLECTED) else []
        if values:
            record_seen(request.user, session, COLLECTED_SEEN)
        return values

    # -- deleting

    def get_deleted_objects(
        self, objs: Any, request: HttpRequest
    ) -> tuple[list[str], dict[str, int], set[str], list[str]]:
        """What goes with them, in figures instead of row by row."""
        chosen = Session.objects.filter(pk__in=[session.pk for session in objs])
        allowed = self.has_delete_permission(request)
        return deleting.going(chosen).lines(), {}, set() if allowed else {"interview"}, []

    def delete_model(self, request: HttpRequest, obj: Session) -> None:
        """With everything that came of it."""
        deleting.delete_sessions(Session.objects.filter(pk=obj.pk))

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Session]) -> None:
        """The same for several."""
        deleting.delete_sessions(queryset)

    # -- exports

    @action(description="Export", icon="download", permissions=["export"], variant="primary")
    def export(self, request: HttpRequest) -> HttpResponseBase:
        """The page of exports."""
        return exporting.export_page(self, request, user_of(request))

    @action(description="Export this interview", icon="download", permissions=["export"])
    def export_one(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """The page of exports, for this one."""
        url = reverse("admin:interviews_session_export")
        return redirect(f"{url}?sessions={self.row(request, object_id).pk}")

    @admin.action(description="Export", permissions=["export"])
    def export_selected(
        self, request: HttpRequest, queryset: QuerySet[Session]
    ) -> HttpResponseBase:
        """The page of exports, for those chosen in the list."""
        return exporting.chosen_page(self, request, user_of(request), queryset)
