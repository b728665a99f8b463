"""The page that compares Prolific's submissions with our interviews."""

import csv
import io
from collections import Counter
from typing import Any

from django import forms
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from unfold.widgets import UnfoldAdminFileFieldWidget

from interviews.admin.base import FieldworkAdmin, session_url, study_admin
from interviews.exports.downloads import EXPORTED
from interviews.exports.formats.cells import escape_formula
from interviews.models import AccessRecord, Session
from interviews.recruitment.prolific import FINDINGS, Comparison, NotProlific, read_submissions
from interviews.recruitment.prolific import compare as compare_with
from plans.admin.exports import download
from plans.models import Bot
from plans.portability.decoder import LIMIT, decode
from plans.portability.problems import BrokenDocument

TEMPLATE = "admin/interviews/prolific.html"
HEADING = ("finding", "participant", "prolific_status", "code", "session_id", "interview")
MOST_SHOWN = 500


class SubmissionsForm(forms.Form):
    file = forms.FileField(
        label="Prolific’s submissions",
        help_text="The CSV that Prolific offers on the study’s page of submissions, up to 2 MB. It "
        "is read and compared, not stored.",
        widget=UnfoldAdminFileFieldWidget(attrs={"accept": ".csv,text/csv"}),
    )

    def comparison(self, bot: Bot) -> Comparison | None:
        """Return the comparison, or None with an error at the file."""
        upload = self.cleaned_data["file"]
        if upload.size > LIMIT:
            self.add_error("file", "The file is larger than 2 MB.")
            return None
        try:
            return compare_with(bot, read_submissions(decode(upload.read())))
        except NotProlific as error:
            self.add_error("file", str(error))
        except BrokenDocument as error:
            self.add_error("file", error.problems[0].message)
        return None


def compare_page(sessions: FieldworkAdmin, request: HttpRequest, bot_id: int) -> HttpResponse:
    bot: Bot = study_admin(Bot).row(request, str(bot_id))
    if not sessions.has_view_permission(request):
        raise PermissionDenied
    form = SubmissionsForm(request.POST or None, request.FILES or None)
    found = form.comparison(bot) if request.method == "POST" and form.is_valid() else None
    if found and "download" in request.POST:
        AccessRecord.add(request.user, f"{EXPORTED}the comparison with Prolific.", bot=bot)
        return _download(bot, found)
    context: dict[str, Any] = {"title": f"Compare “{bot}” with Prolific", "form": form, "bot": bot}
    if found:
        counts = Counter(one.finding for one in found.differences)
        context |= {
            "found": found,
            "counts": [(FINDINGS[name], counts[name]) for name in FINDINGS if counts[name]],
            "rows": [
                (one, FINDINGS[one.finding], one.session and session_url(Session(pk=one.session)))
                for one in found.differences[:MOST_SHOWN]
            ],
            "more": max(0, len(found.differences) - MOST_SHOWN),
        }
    return sessions.page(request, TEMPLATE, bot, **context)


def _download(bot: Bot, found: Comparison) -> HttpResponse:
    text = io.StringIO(newline="")
    rows = csv.writer(text)
    rows.writerow(HEADING)
    for one in found.differences:
        cells = (one.finding, one.participant, one.status, one.code, one.session or "", one.state)
        rows.writerow([escape_formula(str(cell)) for cell in cells])
    return download(f"{bot.slug}-prolific.csv", "text/csv; charset=utf-8", text.getvalue())
