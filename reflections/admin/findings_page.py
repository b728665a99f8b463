"""The findings of a bot's interviews: themes with counts and quotes, to read and to print."""

from collections.abc import Callable
from functools import partial
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.defaultfilters import pluralize
from django.urls import URLPattern, path, reverse
from django.utils.safestring import mark_safe

from interviews.admin import export_page
from interviews.admin.access_log import record_seen
from interviews.admin.base import FieldworkAdmin, user_of
from interviews.admin.extensions import SessionExtension
from interviews.admin.sessions import SessionAdmin
from interviews.exports.downloads import record_download
from plans.admin.base import require
from plans.admin.exports import download
from plans.bots.teams import visible
from plans.models import Bot
from reflections.admin import study_report_page
from reflections.admin.coding_page import RIGHT as CODE
from reflections.admin.study_report_page import RIGHTS
from reflections.admin.study_stages import study_stages, unread
from reflections.coding import suggestions
from reflections.coding.codebook import CodingRefused
from reflections.exports import html
from reflections.themes import theme_suggestions, written
from reflections.themes.findings import ThemeQuote, findings, groupings, study_selection
from reflections.themes.report import as_markdown
from reflections.themes.report_content import reviewed_report

STAGES = "admin/reflections/study_stages.html"
SCROLLED = '<div class="findings-table" tabindex="0" role="region" aria-label="Themes"><table>'
SEEN = "Read the findings of its interviews."


def page(admin: FieldworkAdmin, request: HttpRequest, bot_id: int) -> HttpResponse:
    """Show the stages and findings, `?by` in groups; `?file` downloads them; a POST takes a step.

    `?part=stages` returns the stages alone, or 204 if they are as they were `?seen`.
    """
    user = user_of(request)
    require(request, *RIGHTS)
    bot = get_object_or_404(visible(Bot.objects.all(), user), pk=bot_id)
    if request.method == "POST":
        return _take_step(request, bot)
    polled = request.GET.get("part") == "stages"
    shown = study_stages(bot, user, user.has_perm(CODE), polled)
    if polled:
        if request.GET.get("seen") == shown.seen:
            return HttpResponse(status=204)
        return render(request, STAGES, {"shown": shown})
    chosen = study_selection(bot, user)
    by = request.GET.get("by", "")
    found, reviewed = findings(chosen, by), reviewed_report(shown.report)
    if "file" in request.GET:
        require(request, export_page.RIGHT)
        record_download(user, bot, "findings", "html", chosen)
        text = as_markdown(bot, found, chosen, written=reviewed)
        file = html.page(text, f"{bot.title}: findings", "en")
        return download(f"{bot.slug}-findings.html", "text/html; charset=utf-8", file)
    record_seen(user, bot, SEEN)
    report = html.fragment(as_markdown(bot, found, chosen, _link, reviewed))
    report = report.replace("<table>", SCROLLED).replace("</table>", "</table></div>")
    return admin.page(
        request,
        "admin/reflections/study_findings.html",
        bot,
        title="Findings",
        bot=bot,
        report=mark_safe(report),  # noqa: S308  # Markdown whose HTML is escaped
        by=by,
        groupings=groupings(chosen),
        file=f"?{urlencode({'by': by, 'file': 'html'})}" if export_page.may_export(request) else "",
        shown=shown,
    )


def _link(quote: ThemeQuote) -> str:
    return f"{reverse('admin:interviews_session_coding', args=[quote.session])}#e{quote.position}"


def _take_step(request: HttpRequest, bot: Bot) -> HttpResponse:
    require(request, CODE)
    do = request.POST.get("do", "read")
    try:
        if do not in STEPS:
            raise CodingRefused("Choose what to do.")
        messages.success(request, STEPS[do](request, bot))
    except CodingRefused as why:
        messages.error(request, str(why))
    return redirect("admin:interviews_session_findings", bot.pk)


def _read(request: HttpRequest, bot: Bot) -> str:
    sessions = list(unread(bot, request.user))
    for session in sessions:
        suggestions.request(session, user_of(request).get_username())
    read = f"{len(sessions)} interview{pluralize(len(sessions))}"
    return f"A model reads {read} and suggests codes."


def _order(request: HttpRequest, bot: Bot) -> str:
    theme_suggestions.request(bot, request.user)
    return "A model reads the codebook and suggests themes."


def _write(request: HttpRequest, bot: Bot) -> str:
    written.request(bot, request.user)
    return "A model writes the report in the background."


def _decide(request: HttpRequest, bot: Bot, accept: bool, every: bool = False) -> str:
    sent = request.POST.getlist("shown" if every else "suggestion")
    keys = {int(one) for one in sent if one.isdecimal()}
    count = theme_suggestions.decide(bot, keys, request.user, accept=accept)
    return f"{count} suggestion{pluralize(count)} {'carried out' if accept else 'rejected'}."


STEPS: dict[str, Callable[[HttpRequest, Bot], str]] = {
    "read": _read,
    "order": _order,
    "write": _write,
    "accept": partial(_decide, accept=True),
    "accept all": partial(_decide, accept=True, every=True),
    "refuse": partial(_decide, accept=False),
}


class FindingsExtension(SessionExtension):
    def urls(self, admin: FieldworkAdmin) -> list[URLPattern]:
        wrap, place = admin.admin_site.admin_view, "findings/<int:bot_id>/"
        found, report = (wrap(partial(one, admin)) for one in (page, study_report_page.page))
        return [
            path(place, found, name="interviews_session_findings"),
            path(f"{place}report/", report, name="interviews_session_study_report"),
        ]


SessionAdmin.extend(FindingsExtension())
