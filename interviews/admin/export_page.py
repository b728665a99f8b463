from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import redirect, render

from interviews.admin.base import user_of
from interviews.choices import SessionStatus
from interviews.exports import codebook, files
from interviews.exports.downloads import file_chunks, file_name, record_download, recorded_downloads
from interviews.exports.formats import FORMATS
from interviews.exports.forms import ExportForm
from interviews.exports.methods import methods_facts, paragraph
from interviews.exports.registry import allowed_tables
from interviews.exports.responses import streaming_response
from interviews.models import Session
from interviews.validation import RequestRefused
from plans.admin.base import require
from plans.admin.exports import download as attachment
from plans.bots.teams import visible
from plans.jobs import UNDER_WAY

RIGHT = "interviews.export_session"
SHOWN_DOWNLOADS = 8
PREPARED = "admin/interviews/export/prepared.html"


def may_export(request: HttpRequest) -> bool:
    return request.user.has_perm(RIGHT)


def export_page(admin: Any, request: HttpRequest) -> HttpResponseBase:
    """Return the form, with its errors if any, or the file; `?codebook` returns the codebook."""
    user = user_of(request)
    if request.method != "POST":
        if "codebook" in request.GET:
            content = codebook.as_csv(allowed_tables(user.has_perm).values(), bom=True)
            return attachment("codebook.csv", FORMATS["csv"].media, content)
        return _page(admin, request, ExportForm(user, initial=_initial(request.GET)))
    form = ExportForm(user, request.POST)
    if not form.is_valid():
        return _page(admin, request, form, status=400)
    if "methods" in request.POST:
        text = paragraph(methods_facts(form.selection()))
        return _page(admin, request, form, methods=text)
    data, selection = form.cleaned_data, form.selection()
    bot, table, name, bom = data["bot"], data["table"], data["format"], data["bom"]
    if "background" not in request.POST:
        tables = allowed_tables(user.has_perm)
        chunks, suffix, media = file_chunks(tables, table, selection, name, bom)
        record_download(user, bot, table, name, selection)
        return streaming_response(request, chunks, media, file_name(bot, table, suffix))
    try:
        files.request_file(user, bot, table, name, bom, selection)
    except RequestRefused as refused:
        form.add_error(None, refused.message)
        return _page(admin, request, form, status=refused.status)
    return redirect(f"{request.path}#prepared")


def prepared_files(request: HttpRequest) -> HttpResponse:
    """Return the list of the user's files, which the page asks for while one is being made."""
    require(request, RIGHT)
    return render(request, PREPARED, _prepared(user_of(request)))


def prepared_file(request: HttpRequest, key: UUID) -> HttpResponseBase:
    require(request, RIGHT)
    try:
        row, chunks = files.open_file(user_of(request), key)
    except RequestRefused as refused:
        messages.error(request, refused.message)
        return redirect("admin:interviews_session_export")
    return streaming_response(request, chunks, row.content["media"], files.name_of(row))


def _prepared(user: User) -> dict[str, Any]:
    rows = list(user.export_files.select_related("bot")[:SHOWN_DOWNLOADS])
    return {
        "prepared": [(row, files.progress(row)) for row in rows],
        "under_way": any(row.status in UNDER_WAY for row in rows),
    }


def chosen_page(admin: Any, request: HttpRequest, chosen: QuerySet[Session]) -> HttpResponse:
    keys = " ".join(str(key) for key in chosen.values_list("pk", flat=True))
    return _page(admin, request, ExportForm(user_of(request), initial=_selected(keys)))


def _initial(query: QueryDict) -> dict[str, Any]:
    names = ("bot", "table", "format", "language")
    initial: dict[str, Any] = {name: query[name] for name in names if name in query}
    return initial | _selected(query["sessions"]) if "sessions" in query else initial


def _selected(keys: object) -> dict[str, Any]:
    return {"sessions": keys, "synthetic": True, "previews": True}  # all that were picked


def _page(
    admin: Any, request: HttpRequest, form: ExportForm, status: int = 200, methods: str = ""
) -> HttpResponse:
    asking = visible(Session.objects.filter(status=SessionStatus.ASKING), form.user)
    context = {
        "title": "Export interviews",
        "opts": None,  # it is above the lists: its title is its place
        "form": form,
        "methods": methods,
        "named": len(str(form["sessions"].value() or "").split()),
        "running": asking.count(),
        **_prepared(form.user),
        "downloads": recorded_downloads(form.user)[:SHOWN_DOWNLOADS],
    }
    page: HttpResponse = admin.page(request, "admin/interviews/export/page.html", None, **context)
    page.status_code = status
    return page
