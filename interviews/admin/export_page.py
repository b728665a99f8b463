from typing import Any

from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseBase, QueryDict

from interviews.choices import SessionStatus
from interviews.exports.downloads import codebook_file, download, recorded_downloads, tables_for
from interviews.exports.forms import ExportForm
from interviews.models import Session
from plans.bots.teams import visible

RIGHT = "interviews.export_session"
SHOWN_DOWNLOADS = 8


def may_export(request: HttpRequest) -> bool:
    return request.user.has_perm(RIGHT)


def export_page(admin: Any, request: HttpRequest, user: User) -> HttpResponseBase:
    """Return the form, with its errors if any, or the file; `?codebook` returns the codebook."""
    if request.method != "POST":
        if "codebook" in request.GET:
            return codebook_file(user)
        form = ExportForm(tables_for(user).values(), user, initial=_initial(request.GET))
        return _page(admin, request, user, form)
    form = ExportForm(tables_for(user).values(), user, request.POST)
    if form.is_valid():
        return download(request, user, form)
    return _page(admin, request, user, form, status=400)


def chosen_page(
    admin: Any, request: HttpRequest, user: User, chosen: QuerySet[Session]
) -> HttpResponse:
    keys = " ".join(str(key) for key in chosen.values_list("pk", flat=True))
    form = ExportForm(tables_for(user).values(), user, initial=_selected(keys))
    return _page(admin, request, user, form)


def _initial(query: QueryDict) -> dict[str, Any]:
    names = ("bot", "table", "format", "language")
    initial: dict[str, Any] = {name: query[name] for name in names if name in query}
    return initial | _selected(query["sessions"]) if "sessions" in query else initial


def _selected(keys: object) -> dict[str, Any]:
    return {"sessions": keys, "synthetic": True, "previews": True}  # all that were picked


def _page(
    admin: Any, request: HttpRequest, user: User, form: ExportForm, status: int = 200
) -> HttpResponse:
    asking = visible(Session.objects.filter(status=SessionStatus.ASKING), user)
    context = {
        "title": "Export interviews",
        "form": form,
        "named": len(str(form["sessions"].value() or "").split()),
        "running": asking.count(),
        "downloads": recorded_downloads(user)[:SHOWN_DOWNLOADS],
    }
    page: HttpResponse = admin.page(request, "admin/interviews/export/page.html", None, **context)
    page.status_code = status
    return page
