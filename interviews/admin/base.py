from collections.abc import Sequence
from typing import Any, cast

from django.contrib import admin
from django.contrib.admin.views.main import ChangeList
from django.contrib.auth.models import User
from django.core.paginator import Page, Paginator
from django.db.models import Model, QuerySet
from django.db.models.constants import LOOKUP_SEP
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from unfold.paginator import InfinitePaginator

from interviews.admin.access_log import CONTACTS_SEEN, record_seen
from interviews.models import Session
from plans.admin.base import ReadOnlyAdmin, StudyAdmin, bot_column

STATUS_BADGES = {  # archived and withdrawn ones stay grey
    "Intro": "info",
    "Waiting for an answer": "info",
    "Interviewer is asking": "info",
    "Paused": "warning",
    "Completed": "success",
    "Stopped by the participant": "warning",
}

JUDGED = "interviews.view_observations"
JUDGED_FIELDS = frozenset({"state", "readings", "decision"})


class FieldworkAdmin(ReadOnlyAdmin):
    """Rows that interviews make."""

    show_full_result_count = False  # counting everything twice is slow with many rows

    class Media:
        css = {"all": ["interviews/admin.css"]}

    def lookup_allowed(self, lookup: str, value: Any, request: HttpRequest | None = None) -> bool:
        allowed = _may_look_up(lookup, JUDGED_FIELDS, JUDGED, request)
        return allowed and bool(super().lookup_allowed(lookup, value, request))

    def get_changelist_instance(self, request: HttpRequest) -> ChangeList:
        """Leave out the link to all rows where the list shows them all."""
        found: ChangeList = super().get_changelist_instance(request)
        if not found.query and not found.get_filters_params():
            found.full_result_count = found.result_count
        return found


class KeysFirst(Paginator):  # type: ignore[type-arg]
    """Looks for a page's keys first: what is worked out for each row is for its rows alone."""

    def page(self, number: int | str) -> Page[Any]:
        found: Page[Any] = super().page(number)
        all_rows: Any = self.object_list
        rows: Any = found.object_list
        found.object_list = all_rows.filter(pk__in=[*rows.values_list("pk", flat=True)])
        return found


class PartOfSession(FieldworkAdmin):
    """Rows that are read on their interview's page and deleted only with it."""

    paginator = InfinitePaginator  # counting millions of rows is slow
    bot = bot_column("session__bot", ordered=False)


def session_url(session: Session, anchor: str = "") -> str:
    return reverse("admin:interviews_session_change", args=[session.pk]) + anchor


def session_link(session: Session, text: str, anchor: str = "") -> SafeString:
    return format_html('<a class="study-link" href="{}">{}</a>', session_url(session, anchor), text)


def user_of(request: HttpRequest) -> User:
    if not isinstance(request.user, User):
        raise TypeError("nobody is logged in")
    return request.user


def study_admin(model: type[Model]) -> StudyAdmin:
    return cast(StudyAdmin, admin.site.get_model_admin(model))


CONTACTS = "interviews.view_contacts"
CONTACT_FIELDS = frozenset({"name", "email", "to"})


def _may_look_up(
    lookup: str, hidden: frozenset[str], right: str, request: HttpRequest | None
) -> bool:
    """Return False without the right to hidden fields: lookups would reveal them bit by bit."""
    if hidden.isdisjoint(lookup.split(LOOKUP_SEP)):
        return True
    return request is not None and bool(request.user.has_perm(right))


def sees_contacts(request: HttpRequest) -> bool:
    return bool(request.user.has_perm(CONTACTS))


class OwnRows(StudyAdmin):
    """Rows that belong to a user, who sees their own; superusers see all."""

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        # by user, not by team: what is for all bots belongs to no team
        rows: QuerySet[Any] = self.model._default_manager.select_related("user")
        rows = rows.order_by(*self.get_ordering(request))
        return rows if request.user.is_superuser else rows.filter(user=request.user)


class RecordedAdmin(StudyAdmin):
    """Lists and pages that show what only some may see; whoever opens one is on record."""

    def seen(self, request: HttpRequest) -> str:
        """Return what the user sees here, as it is recorded; empty if nothing."""
        return ""

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        response: HttpResponse = super().changelist_view(request, extra_context)
        if response.status_code == 200:
            self._record(request, None)
        return response

    def changeform_view(
        self, request: HttpRequest, object_id: str | None = None, *args: Any, **kwargs: Any
    ) -> HttpResponse:
        response: HttpResponse = super().changeform_view(request, object_id, *args, **kwargs)
        if response.status_code == 200 and object_id:
            self._record(request, self.get_object(request, object_id))
        return response

    def _record(self, request: HttpRequest, row: Any) -> None:
        if what := self.seen(request):
            record_seen(request.user, row, what)


class ContactsAdmin(RecordedAdmin):
    def visible(self, request: HttpRequest, fields: Sequence[Any]) -> list[Any]:
        hidden = frozenset() if sees_contacts(request) else CONTACT_FIELDS
        return [field for field in fields if field not in hidden]

    def get_list_display(self, request: HttpRequest) -> list[Any]:
        return self.visible(request, self.list_display)

    def seen(self, request: HttpRequest) -> str:
        return CONTACTS_SEEN if sees_contacts(request) else ""

    def lookup_allowed(self, lookup: str, value: Any, request: HttpRequest | None = None) -> bool:
        allowed = _may_look_up(lookup, CONTACT_FIELDS, CONTACTS, request)
        return allowed and bool(super().lookup_allowed(lookup, value, request))
