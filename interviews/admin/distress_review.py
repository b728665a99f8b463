"""Signs of distress in the admin: which interviews need a review, and who has reviewed them."""

from collections import Counter
from typing import Any

from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST
from unfold.contrib.filters.admin.choice_filters import RadioFilter

from interviews.admin.base import session_url, user_of
from interviews.measures import distress_review
from interviews.models import Mail, Session
from plans.admin.base import require
from plans.bots.teams import visible
from plans.jobs import Job

RIGHT = "interviews.add_look"
VIEW_SESSIONS = "interviews.view_session"
ANCHOR = "#signs"
ANOTHER_SIGN = (
    "There has been another sign of distress since you opened this page. Read it first, then mark "
    "the interview as reviewed. Your note was: “{}”"
)


class LookFilter(RadioFilter):
    title = "signs of distress"
    parameter_name = "look"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("wanted", "Not reviewed yet"), ("done", "Reviewed")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Session]) -> QuerySet[Session]:
        match self.value():
            case "wanted":
                return distress_review.wanting(queryset)
            case "done":
                return distress_review.looked_at(queryset)
        return queryset


def distress_panel(request: HttpRequest, session: Session) -> dict[str, Any] | None:
    if not session.flagged:
        return None
    mails = list(Mail.objects.filter(session=session, kind=Mail.Kind.ALERT))
    unsent = Counter(_state(mail) for mail in mails if mail.status != Job.Status.READY)
    return {
        "turns": distress_review.signs(session),
        "looks": list(session.looks.all()),
        "wanted": distress_review.wanting(Session.objects.filter(pk=session.pk)).exists(),
        "told": sum(mail.status == Job.Status.READY for mail in mails),  # e-mails sent
        "waiting": sorted(unsent.items()),  # why e-mails wait or failed, with counts
        "may_mark": request.user.has_perm(RIGHT),
        "seen": _latest_sign(session),  # to tell whether another has come since
    }


def _latest_sign(session: Session) -> str:
    return session.flagged_at.isoformat() if session.flagged_at else ""


def _state(mail: Mail) -> str:
    state = "not sent" if mail.status == Job.Status.FAILED else "being sent"
    return f"{state}. {mail.reason}".strip()


def unreviewed(request: HttpRequest) -> dict[str, Any]:
    """Return how many interviews the user should review, and where they are listed."""
    sessions = visible(Session.objects.all(), request.user)
    allowed, page = request.user.has_perm(VIEW_SESSIONS), "admin:interviews_session_changelist"
    return {
        "wanted": distress_review.wanting(sessions).count() if allowed else 0,
        "url": f"{reverse(page)}?{LookFilter.parameter_name}=wanted",
    }


@require_POST
def mark_reviewed(request: HttpRequest, session: Session) -> HttpResponse:
    require(request, RIGHT)
    note, latest = request.POST.get("note", ""), _latest_sign(session)
    if request.POST.get("seen", latest) != latest:
        messages.error(request, ANOTHER_SIGN.format(note))
        return redirect(session_url(session, "#top"))  # where the message is
    distress_review.look(session, user_of(request), note, timezone.now())
    messages.success(request, "Marked as reviewed.")
    return redirect(session_url(session, ANCHOR))
