"""The findings of a bot's interviews: themes with counts and quotes, to read and to print."""

from urllib.parse import urlencode

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.defaultfilters import pluralize
from django.urls import URLPattern, path, reverse
from django.utils.safestring import mark_safe

from interviews.admin import export_page
from interviews.admin.access_log import record_seen
from interviews.admin.base import FieldworkAdmin, user_of
from interviews.admin.extensions import SessionExtension
from interviews.admin.sessions import SessionAdmin
from interviews.choices import ENDED
from interviews.exports.downloads import record_download
from interviews.models import Session
from llm.routing.routes import has_model
from plans.bots.teams import visible
from plans.models import Bot
from reflections.admin.coding_page import RIGHT as CODE
from reflections.coding import suggestions
from reflections.coding.codebook import CodingRefused
from reflections.exports import html
from reflections.themes.findings import ThemeQuote, findings, groupings, study_selection
from reflections.themes.report import as_markdown

RIGHTS = ("interviews.view_session", "reflections.view_excerpt")
SCROLLED = '<div class="findings-table" tabindex="0" role="region" aria-label="Themes"><table>'
SEEN = "Read the findings of its interviews."


def page(admin: FieldworkAdmin, request: HttpRequest, bot_id: int) -> HttpResponse:
    """Show the findings, `?by` in groups; `?file` downloads them; a POST asks for suggestions."""
    user = user_of(request)
    if not user.has_perms(RIGHTS):
        raise PermissionDenied
    bot = get_object_or_404(visible(Bot.objects.all(), user), pk=bot_id)
    if request.method == "POST":
        return _suggest(request, bot)
    chosen = study_selection(bot, user)
    by = request.GET.get("by", "")
    found = findings(chosen, by)
    if "file" in request.GET:
        if not export_page.may_export(request):
            raise PermissionDenied
        record_download(user, bot, "findings", "html", chosen)
        file = html.page(as_markdown(bot, found, chosen), f"{bot.title}: findings", "en")
        headers = {"Content-Disposition": f'attachment; filename="{bot.slug}-findings.html"'}
        return HttpResponse(file, headers=headers)
    record_seen(user, bot, SEEN)
    report = html.fragment(as_markdown(bot, found, chosen, _link))
    report = report.replace("<table>", SCROLLED).replace("</table>", "</table></div>")
    return admin.page(
        request,
        "admin/reflections/study_findings.html",
        None,
        title="Findings",
        bot=bot,
        report=mark_safe(report),  # noqa: S308  # Markdown whose HTML is escaped
        by=by,
        groupings=groupings(chosen),
        file=f"?{urlencode({'by': by, 'file': 'html'})}" if export_page.may_export(request) else "",
        may_suggest=user.has_perm(CODE) and has_model(),
        waiting=_unread(bot, user).count(),
    )


def _link(quote: ThemeQuote) -> str:
    return f"{reverse('admin:interviews_session_coding', args=[quote.session])}#e{quote.position}"


def _unread(bot: Bot, user: object) -> QuerySet[Session]:
    """Return the interviews for which no model has been asked to suggest codes."""
    ended = study_selection(bot, user, statuses=tuple(map(str, ENDED))).queryset()
    return ended.filter(code_suggestions=None)


def _suggest(request: HttpRequest, bot: Bot) -> HttpResponse:
    if not request.user.has_perm(CODE):
        raise PermissionDenied
    try:
        unread = list(_unread(bot, request.user))
        for session in unread:
            suggestions.request(session, user_of(request).get_username())
        read = f"{len(unread)} interview{pluralize(len(unread))}"
        messages.success(request, f"A model reads {read} and suggests codes.")
    except CodingRefused as why:
        messages.error(request, str(why))
    return redirect("admin:interviews_session_findings", bot.pk)


class FindingsExtension(SessionExtension):
    def urls(self, admin: FieldworkAdmin) -> list[URLPattern]:
        def view(request: HttpRequest, bot_id: int) -> HttpResponse:
            return page(admin, request, bot_id)

        address = admin.admin_site.admin_view(view)
        return [path("findings/<int:bot_id>/", address, name="interviews_session_findings")]


SessionAdmin.extend(FindingsExtension())
