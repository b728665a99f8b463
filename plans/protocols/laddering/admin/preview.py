"""Pages that show what a concept or a methodology comes to."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from plans.models import Bot
from plans.models.ladder import LadderFile
from plans.portability.problems import BrokenDocument
from plans.protocols.laddering.content import options_of
from plans.protocols.laddering.files import METHODOLOGY, LadderContent, kind_of
from plans.protocols.laddering.methodology_preview import preview

PAGE = "plans/ladder/page.html"
NOTES = {
    "concept": "For you alone. The interviewer knows it; participants are told the topic.",
    "methodology": "For you alone: everything that decides which question comes next.",
    "bot": "For you alone: what it explores, and what decides which question comes next.",
}


def file_preview(request: HttpRequest, row: LadderFile) -> HttpResponse:
    note = NOTES[kind_of(row).name]
    return render(request, PAGE, {"title": row.name, "note": note, **_shown(row)})


def bot_preview(request: HttpRequest, bot: Bot) -> HttpResponse:
    """A bot's concept and methodology, and what is missing of them."""
    context: dict[str, Any] = {"title": bot.title, "note": NOTES["bot"], "options": options_of(bot)}
    context["problems"] = []
    for row, what in ((bot.concept, "concept"), (bot.methodology, "methodology")):
        shown = _shown(row) if row else {"problems": [f"This bot has no {what} yet."]}
        context["problems"] += shown.pop("problems", [])
        context |= shown
    return render(request, PAGE, context)


def _shown(row: LadderFile) -> dict[str, Any]:
    sort = kind_of(row)
    try:
        made: Any = sort.stored(row.source, row.key)
    except BrokenDocument as error:
        return {"problems": [f"“{row}” can't be read: {error.problems[0]}."]}
    return {sort.name: preview(made) if sort == METHODOLOGY else made}


def content_of(row: LadderFile) -> LadderContent | None:
    """What the row holds; None where it can't be read any more."""
    try:
        return kind_of(row).stored(row.source, row.key)
    except BrokenDocument:
        return None
