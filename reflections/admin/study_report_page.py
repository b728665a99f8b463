"""The report on a study's findings: to read beside its excerpts, and to review like a product."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse

from interviews.admin.access_log import record_seen
from interviews.admin.base import FieldworkAdmin, user_of
from plans.admin.base import require
from plans.bots.teams import visible
from plans.models import Bot
from reflections.admin.coding_page import RIGHT as CODE
from reflections.admin.product_page import (
    REVIEWS,
    EntryView,
    ReviewedPage,
    review_page,
    statements_on,
)
from reflections.admin.review_forms import ReviewForms
from reflections.admin.statements import StatementsView
from reflections.coding.codebook import CodingRefused
from reflections.models import CodebookCode, Review, StudyReport
from reflections.products import Content
from reflections.themes import written
from reflections.themes.findings import ThemeQuote
from reflections.themes.report_content import cited_statements, quotes_of, report_in

RIGHTS = ("interviews.view_session", "reflections.view_excerpt")
SEEN = "Read the report on the findings."


@dataclass(frozen=True)
class NumberedExcerpt:
    """An excerpt as an entry that statements quote; its number is its position."""

    position: int
    text: str
    who: str
    link: str
    theme: str
    against: bool


def page(admin: FieldworkAdmin, request: HttpRequest, bot_id: int) -> HttpResponse:
    """Show the report, `?original` as it was made; a POST judges it or has it written again."""
    user = user_of(request)
    require(request, *RIGHTS)
    bot = get_object_or_404(visible(Bot.objects.all(), user), pk=bot_id)
    try:
        row = written.report_of(bot, user)
    except CodingRefused as why:
        raise PermissionDenied(str(why)) from why
    if row is None or not row.content:
        raise Http404("There is no report.")
    record_seen(user, bot, SEEN)

    def show(review: Review, reviewing: ReviewForms) -> HttpResponse:
        if request.method == "POST":
            row.refresh_from_db()
        shown = _page_of(request, row, review, reviewing)
        context = {"title": row.title, "bot": bot, "page": shown, "quoted": "excerpt"}
        return admin.page(request, "admin/reflections/study_report.html", bot, **context)

    return review_page(request, row, show, lambda: _write_again(request, bot))


def _write_again(request: HttpRequest, bot: Bot) -> HttpResponse:
    require(request, CODE)
    try:
        written.request(bot, request.user)
        messages.success(request, "A model writes the report in the background.")
    except CodingRefused as why:
        messages.error(request, str(why))
    return redirect("admin:interviews_session_findings", bot.pk)


def _page_of(
    request: HttpRequest, row: StudyReport, review: Review, reviewing: ReviewForms
) -> ReviewedPage:
    original = bool(review.content) and "original" in request.GET
    content = row.content if original else review.content or row.content
    quotes = quotes_of(report_in(content).excerpts)
    excerpts = _excerpts(content, quotes)
    view = statements_on(row, content, excerpts)
    if view is None:
        raise Http404("There is no report.")
    told = _with_people(view, row, content, quotes)
    return ReviewedPage(
        reflection=row,
        review=review,
        told=told,
        original=original,
        said=[EntryView(one, told.pieces(one), told.quoted_in(one)) for one in excerpts],
        may_review=request.user.has_perm(REVIEWS),
        may_make=request.user.has_perm(CODE),
        reviewing=reviewing,
    )


def _excerpts(content: Content, quotes: Mapping[int, ThemeQuote]) -> list[NumberedExcerpt]:
    known = report_in(content).excerpts
    codes = {one.code for one in known}
    themes = dict(CodebookCode.objects.filter(pk__in=codes).values_list("pk", "name"))
    return [
        NumberedExcerpt(
            one.number,
            quotes[one.number].text,
            quotes[one.number].who,
            reverse("admin:interviews_session_coding", args=[one.session]) + f"#e{one.position}",
            themes.get(one.code, "a deleted code"),
            one.against,
        )
        for one in known
    ]


def _with_people(
    view: StatementsView, row: StudyReport, content: Content, quotes: Mapping[int, ThemeQuote]
) -> StatementsView:
    """Return the view with how many are behind each statement, and each quote on its side."""
    cited, made, sections = [*cited_statements(row, content, quotes)], report_in(row.content), []
    for section in view.sections:
        statements = []
        for one in section.statements:
            told = cited[one.number - 1]
            sided = [
                replace(quote, against=made.contradicts(told.statement, quote.position))
                for quote in one.quotes
            ]
            statements.append(replace(one, people=told.people, quotes=sided))
        sections.append(replace(section, statements=statements))
    return replace(view, sections=sections)
