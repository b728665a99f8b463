"""The page on which interviews are exported, and the files that were made for it."""

import re
from typing import Any, cast
from uuid import UUID

from django import forms
from django.contrib import messages
from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import redirect, render
from unfold.widgets import (
    UnfoldAdminCheckboxSelectMultipleWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextInputWidget,
    UnfoldBooleanSwitchWidget,
)

from interviews.admin.base import user_of
from interviews.choices import SessionStatus
from interviews.exports import codebook, files
from interviews.exports.columns import AnyTable
from interviews.exports.downloads import file_chunks, file_name, record_download, recorded_downloads
from interviews.exports.formats import FORMATS
from interviews.exports.methods import methods_facts, paragraph
from interviews.exports.refi_qda.project import PROJECT_FORMATS
from interviews.exports.registry import EVERYTHING, allowed_tables
from interviews.exports.responses import streaming_response
from interviews.exports.selection import Selection, days
from interviews.models import Session
from interviews.validation import RequestRefused
from llm.languages import language_name
from plans.admin.base import require
from plans.admin.exports import download
from plans.bots.teams import visible
from plans.jobs import UNDER_WAY
from plans.models import Bot

RIGHT = "interviews.export_session"
SHOWN_DOWNLOADS = 8
PREPARED = "admin/interviews/export/prepared.html"
EVERYTHING_CHOICE = (
    EVERYTHING,
    "All tables that need no further permission, codebook, plans (ZIP)",
)
MAX_IDS = 5000
DAY = UnfoldAdminTextInputWidget(attrs={"type": "date"})


class SessionIds(forms.CharField):
    def clean(self, value: Any) -> tuple[UUID, ...]:
        """Return the ids, whatever separates them. Raise ValidationError if invalid or too many."""
        ids = re.split(r"[\s,;]+", super().clean(value).strip())
        try:
            keys = tuple(UUID(key) for key in ids if key)
        except ValueError as error:
            raise forms.ValidationError("This isn't the ID of an interview.") from error
        if len(keys) > MAX_IDS:
            raise forms.ValidationError(
                f"You can't name more than {MAX_IDS:,} interviews. Choose them by bot, dates "
                "and status instead."
            )
        return keys


class ExportForm(forms.Form):
    bot = forms.ModelChoiceField(
        Bot.objects.all(),
        required=False,
        empty_label="All bots",
        to_field_name="slug",
        widget=UnfoldAdminSelectWidget(),
    )
    table = forms.ChoiceField(widget=UnfoldAdminSelectWidget())
    format = forms.ChoiceField(
        choices=[(name, form.title) for name, form in (FORMATS | PROJECT_FORMATS).items()],
        widget=UnfoldAdminSelectWidget(),
        help_text="CSV for R, pandas and SPSS; XLSX for Excel; JSON lines for programs; REFI-QDA "
        "for NVivo, ATLAS.ti and MAXQDA: the interviews with their codes, whatever the table.",
    )
    bom = forms.BooleanField(
        required=False,
        label="CSV for Excel",
        help_text="Starts the file with a byte order mark. Without it, Excel guesses the encoding.",
        widget=UnfoldBooleanSwitchWidget(),
    )
    since = forms.DateField(required=False, label="Started from", widget=DAY, help_text="UTC.")
    until = forms.DateField(
        required=False, label="Started until", widget=DAY, help_text="UTC, inclusive."
    )
    status = forms.MultipleChoiceField(
        required=False,
        choices=SessionStatus.choices,
        widget=UnfoldAdminCheckboxSelectMultipleWidget(),
        help_text="Choose none for all.",
    )
    language = forms.ChoiceField(required=False, widget=UnfoldAdminSelectWidget())
    synthetic = forms.BooleanField(
        required=False,
        label="Include synthetic interviews",
        help_text="Interviews answered by a program. A column marks them.",
        widget=UnfoldBooleanSwitchWidget(),
    )
    previews = forms.BooleanField(
        required=False,
        label="Include previews",
        help_text="Interviews held to try a bot.",
        widget=UnfoldBooleanSwitchWidget(),
    )
    sessions = SessionIds(required=False, widget=forms.HiddenInput())

    def __init__(self, user: Any, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user
        cast(Any, self.fields["bot"]).queryset = visible(Bot.objects.all(), user)
        choices = [(table.name, _title(table)) for table in allowed_tables(user.has_perm).values()]
        self._set_choices("table", [*choices, EVERYTHING_CHOICE])
        sessions = visible(Session.objects.order_by("language"), user)
        tags = sessions.values_list("language", flat=True).distinct()
        self._set_choices("language", [("", "All"), *((tag, language_name(tag)) for tag in tags)])

    def _set_choices(self, name: str, choices: list[tuple[str, str]]) -> None:
        cast(forms.ChoiceField, self.fields[name]).choices = choices

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or {}
        if data.get("format") in PROJECT_FORMATS:  # they hold interviews, whatever the table
            data["table"] = EVERYTHING
        since, until = data.get("since"), data.get("until")
        if since and until and since > until:
            self.add_error("until", "This is before “Started from”.")
        return data

    def selection(self) -> Selection:
        data = self.cleaned_data
        since, before = days(data["since"], data["until"])
        return Selection(
            bot=data["bot"].pk if data["bot"] else None,
            sessions=data["sessions"],
            since=since,
            before=before,
            statuses=tuple(data["status"]),
            language=data["language"],
            synthetic=data["synthetic"],
            previews=data["previews"],
            user=self.user,
        )


def _title(table: AnyTable) -> str:
    title = table.name.replace("_", " ").capitalize()
    return f"{title}: {table.meaning.split('.')[0].split(',')[0].lower()}"


def may_export(request: HttpRequest) -> bool:
    return request.user.has_perm(RIGHT)


def export_page(admin: Any, request: HttpRequest) -> HttpResponseBase:
    """Return the form, with its errors if any, or the file; `?codebook` returns the codebook."""
    user = user_of(request)
    if request.method != "POST":
        if "codebook" in request.GET:
            content = codebook.as_csv(allowed_tables(user.has_perm).values(), bom=True)
            return download("codebook.csv", FORMATS["csv"].media, content)
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
