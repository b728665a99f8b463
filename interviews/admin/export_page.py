from typing import Any

from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseBase, QueryDict

from interviews.choices import SessionStatus
from interviews.exports.downloads import codebook_file, download, logged_downloads, tables_for
from interviews.exports.forms import ExportForm
from interviews.models import Session

RIGHT = "interviews.export_session"
SHOWN = 8  # downloads on record


def may_export(request: HttpRequest) -> bool:
    return request.user.has_perm(RIGHT)


def export_page(admin: Any, request: HttpRequest, user: User) -> HttpResponseBase:
    """Return the form, with its errors if any, or the file; `?codebook` returns the codebook."""
    tables = tables_for(user).values()
    if request.method != "POST":
        if "codebook" in request.GET:
            return codebook_file(user)
        return _page(admin, request, ExportForm(tables, initial=_initial(request.GET)))
    form = ExportForm(tables, request.POST)
    if form.is_valid():
        return download(request, user, form)
    return _page(admin, request, form, status=400)


def chosen_page(
    admin: Any, request: HttpRequest, user: User, chosen: QuerySet[Session]
) -> HttpResponse:
    """Return the form for interviews that were selected in the list."""
    keys = " ".join(str(key) for key in chosen.values_list("pk", flat=True))
    every = {"synthetic": True, "previews": True}  # picked by hand, so they are wanted
    form = ExportForm(tables_for(user).values(), initial={"sessions": keys, **every})
    return _page(admin, request, form)


def _initial(given: QueryDict) -> dict[str, Any]:
    known: dict[str, Any] = {
        name: given[name] for name in ("bot", "table", "format", "language") if name in given
    }
    if "sessions" in given:
        known |= {"sessions": given["sessions"], "synthetic": True, "previews": True}
    return known


def _page(admin: Any, request: HttpRequest, form: ExportForm, status: int = 200) -> HttpResponse:
    named = str(form["sessions"].value() or "").split()
    context = {
        "title": "Export interviews",
        "form": form,
        "named": len(named),
        "running": Session.objects.filter(status=SessionStatus.ASKING).count(),
        "downloads": logged_downloads()[:SHOWN],
    }
    page: HttpResponse = admin.page(request, "admin/interviews/export/page.html", None, **context)
    page.status_code = status
    return page
