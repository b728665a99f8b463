from typing import Any

from django.contrib.auth.models import User
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from unfold.paginator import InfinitePaginator

from interviews.models import Session
from plans.admin.base import StudyAdmin

STATUS_BADGES = {  # archived and withdrawn ones stay grey
    "Intro": "info",
    "Waiting for an answer": "info",
    "Interviewer is asking": "info",
    "Paused": "warning",
    "Completed": "success",
    "Stopped by the participant": "warning",
}


class FieldworkAdmin(StudyAdmin):
    """Rows that interviews make: nobody adds or changes them by hand."""

    warn_unsaved_form = False
    show_full_result_count = False  # counting everything twice is slow with many rows

    class Media:
        css = {"all": ["interviews/admin.css"]}

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class PartOfSession(FieldworkAdmin):
    """Rows that are read on their interview's page and deleted only with it."""

    paginator = InfinitePaginator  # counting millions of rows is slow

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


def session_url(session: Session, anchor: str = "") -> str:
    return reverse("admin:interviews_session_change", args=[session.pk]) + anchor


def session_link(session: Session, text: str, anchor: str = "") -> SafeString:
    return format_html('<a class="study-link" href="{}">{}</a>', session_url(session, anchor), text)


def user_of(request: HttpRequest) -> User:
    if not isinstance(request.user, User):
        raise TypeError("nobody is logged in")
    return request.user
