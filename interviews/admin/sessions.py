from collections.abc import Callable
from functools import partial
from typing import Any, ClassVar
from uuid import UUID

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import path, reverse
from unfold.contrib.filters.admin import ChoicesDropdownFilter
from unfold.dataclasses import UnfoldAction
from unfold.decorators import action, display

from interviews.admin import export_page, querysets
from interviews.admin.access_log import COLLECTED_SEEN, record_seen
from interviews.admin.base import STATUS_BADGES, FieldworkAdmin, KeysFirst
from interviews.admin.distress_review import LookFilter, distress_panel, mark_reviewed
from interviews.admin.extensions import SessionExtension
from interviews.admin.filters import (
    CompletedOnFilter,
    LeftAtFilter,
    MinutesFilter,
    RatedFilter,
    StageFilter,
)
from interviews.admin.overview import experiment_page, overview_page, share
from interviews.admin.prolific import compare_page
from interviews.admin.trace import MEASURED, session_page
from interviews.exports.selection import Selection
from interviews.exports.tables.collected import COLLECTED, CollectedRow
from interviews.models import Session
from interviews.turns import deletion
from llm.languages import language_name
from plans.admin.base import StudyAdmin, TeamDropdownFilter, bot_column, time_column

TOO_MANY = (
    f"More than {querysets.MOST_FOUND:,} interviews were found; some are listed. "
    "Search for more words to find others."
)
NAMES = "interviews.view_participant"


@admin.register(Session)
class SessionAdmin(FieldworkAdmin):
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
        ("bot", TeamDropdownFilter),
        ("status", ChoicesDropdownFilter),
        StageFilter,
        LeftAtFilter,
        CompletedOnFilter,
        MinutesFilter,
        LookFilter,
        "flagged",
        RatedFilter,
        "language",
        "preview",
        "synthetic",
    ]
    date_hierarchy = "started_at"
    paginator = KeysFirst
    search_fields = ["id"]  # the search itself is in querysets.py
    search_help_text = "Searches what was said, and IDs"
    actions = ["export_selected"]
    actions_list = ["export"]
    actions_detail = ["export_one"]
    list_before_template = "admin/interviews/session/list_before.html"
    change_form_template = "admin/interviews/session/page.html"
    delete_confirmation_template = "admin/interviews/session/delete_confirmation.html"
    how_to_begin = (
        "Interviews appear here as soon as somebody starts one. Open a bot and send people the "
        "link to its public page, or try it yourself."
    )
    extensions: ClassVar[list[SessionExtension]] = []

    @classmethod
    def extend(cls, extension: SessionExtension) -> None:
        cls.extensions.append(extension)
        for actions, names in (
            (extension.list_actions, cls.actions_list),
            (extension.detail_actions, cls.actions_detail),
        ):
            for added in actions:
                setattr(cls, added.view.__name__, added.view)
            names[:0] = [added.view.__name__ for added in actions]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Session]:
        sessions: QuerySet[Session] = super().get_queryset(request)
        return querysets.annotate_sessions(sessions, with_names=request.user.has_perm(NAMES))

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Session], search_term: str
    ) -> tuple[QuerySet[Session], bool]:
        by_name = request.user.has_perm(NAMES)
        found, too_many = querysets.search_sessions(queryset, search_term, request.user, by_name)
        if too_many:
            messages.warning(request, TOO_MANY)
        return found, False

    def has_export_permission(self, request: HttpRequest, object_id: Any = None) -> bool:
        return export_page.may_export(request)

    def has_code_permission(self, request: HttpRequest, object_id: Any = None) -> bool:
        return bool(request.user.has_perm("reflections.view_excerpt"))

    # -- the list

    @display(description="Participant", ordering="participant")
    def participant_shown(self, session: Session) -> str:
        return querysets.who(session)

    bot_shown = bot_column("bot")

    @display(description="Status", ordering="status", label=STATUS_BADGES)
    def badge(self, session: Session) -> str:
        return session.get_status_display()

    @display(description="Marks")
    def marked(self, session: Session) -> str:
        return render_to_string("admin/interviews/marks.html", {"marks": querysets.marks(session)})

    @display(description="Progress")
    def progress_shown(self, session: Session) -> str:
        return querysets.progress(session)

    @display(description="Answers")
    def answers_shown(self, session: Session) -> int:
        return getattr(session, "answers", None) or 0

    @display(description="Minutes")
    def minutes_shown(self, session: Session) -> int:
        return querysets.minutes(session)

    @display(description="Language", ordering="language")
    def language_shown(self, session: Session) -> str:
        return language_name(session.language)

    started = time_column("Started", "started_at")

    # -- the page

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        session = self.get_object(request, object_id) if object_id else None
        if session is not None and self.has_view_permission(request, session):
            record_seen(request.user, session)
            extra_context = {
                **(extra_context or {}),
                "page": self._page(request, session),
                "collected": self._collected(request, session),
                "signs": distress_panel(request, session),
            }
        response: HttpResponse = super().changeform_view(
            request, object_id, form_url, extra_context
        )
        return response

    def get_urls(self) -> list[Any]:
        views: dict[str, tuple[str, Callable[..., Any]]] = {
            "overview": ("overview/<int:bot_id>/", partial(overview_page, self)),
            "overview_share": ("overview/share/<int:bot_id>/", partial(share, self)),
            "prolific": ("prolific/<int:bot_id>/", partial(compare_page, self)),
            "experiment": ("experiment/<int:key>/", partial(experiment_page, self)),
            "export_files": ("export/files/", export_page.prepared_files),
            "export_file": ("export/files/<uuid:key>/", export_page.prepared_file),
            "look": ("<uuid:object_id>/look/", self.look),
            "live": ("<uuid:object_id>/live/", self.live),
        }
        protect = self.admin_site.admin_view
        return [
            *(url for one in self.extensions for url in one.urls(self)),
            *(
                path(place, protect(view), name=f"interviews_session_{name}")
                for name, (place, view) in views.items()
            ),
            *super().get_urls(),
        ]

    def _page(self, request: HttpRequest, session: Session) -> dict[str, Any]:
        parts = [one.page(request, session) for one in self.extensions]
        return session_page(session, parts, request.user.has_perm(MEASURED))

    def live(self, request: HttpRequest, object_id: UUID) -> HttpResponse:
        """Return the turns since the one that the page names; 204 if nothing has changed."""
        session = self.row(request, str(object_id))
        if request.GET.get("sequence") == str(session.sequence):
            return HttpResponse(status=204)
        record_seen(request.user, session)
        page, seen = self._page(request, session), request.GET.get("turn", "")
        after = int(seen) if seen.isdecimal() else -1
        steps = [step for step in page["finished"] if step.turn.number > after]
        context = {"session": session, "page": page, "steps": steps}
        return render(request, "admin/interviews/session/live.html", context)

    def look(self, request: HttpRequest, object_id: UUID) -> HttpResponse:
        return mark_reviewed(request, self.row(request, str(object_id)))

    def get_actions_list(self, request: HttpRequest) -> list[UnfoldAction]:
        added = [action for one in self.extensions for action in one.list_actions]
        hidden = {action.view.__name__ for action in added if not action.offered()}
        return [one for one in super().get_actions_list(request) if one.path not in hidden]

    def get_actions_detail(self, request: HttpRequest, object_id: int) -> list[UnfoldAction]:
        added = [action for one in self.extensions for action in one.detail_actions]
        hidden = {action.view.__name__ for action in added if not action.offered(object_id)}
        offered = super().get_actions_detail(request, object_id)
        return [one for one in offered if one.path not in hidden]

    def _collected(self, request: HttpRequest, session: Session) -> list[CollectedRow]:
        """Return what was given in confidence, as its table has it."""
        chosen = Selection(sessions=(session.pk,), synthetic=True, previews=True)
        values = list(COLLECTED.rows(chosen)) if request.user.has_perm(COLLECTED.right) else []
        if values:
            record_seen(request.user, session, COLLECTED_SEEN)
        return values

    # -- deleting

    has_delete_permission = StudyAdmin.has_delete_permission

    def get_deleted_objects(
        self, objs: Any, request: HttpRequest
    ) -> tuple[list[str], dict[str, int], set[str], list[str]]:
        sessions = Session.objects.filter(pk__in=[session.pk for session in objs])
        allowed = self.has_delete_permission(request)
        lines = deletion.deletion_lines(sessions)
        return lines, {}, set() if allowed else {"interview"}, []

    def delete_model(self, request: HttpRequest, obj: Session) -> None:
        deletion.delete_sessions(Session.objects.filter(pk=obj.pk))

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Session]) -> None:
        deletion.delete_sessions(queryset)

    # -- exports

    @action(description="Export", icon="download", permissions=["export"], variant="primary")
    def export(self, request: HttpRequest) -> HttpResponseBase:
        return export_page.export_page(self, request)

    @action(description="Export this interview", icon="download", permissions=["export"])
    def export_one(self, request: HttpRequest, object_id: str) -> HttpResponse:
        url = reverse("admin:interviews_session_export")
        return redirect(f"{url}?sessions={self.row(request, object_id).pk}")

    @admin.action(description="Export", permissions=["export"])
    def export_selected(
        self, request: HttpRequest, queryset: QuerySet[Session]
    ) -> HttpResponseBase:
        return export_page.chosen_page(self, request, queryset)
