from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from plans.models import Bot
from plans.models.ladder import LadderFile
from plans.portability.problems import BrokenDocument
from plans.protocols.laddering.content import options_of
from plans.protocols.laddering.files import METHODOLOGY, kind_of
from plans.protocols.laddering.methodology_preview import preview

PAGE = "plans/ladder/page.html"
NOTES = {
    "concept": "For you only. The interviewer knows it; participants only hear the topic.",
    "methodology": "For you only: everything that decides which question comes next.",
    "bot": "For you only: what it explores, and what decides which question comes next.",
}


def file_preview(request: HttpRequest, row: LadderFile) -> HttpResponse:
    note = NOTES[kind_of(row).name]
    return render(request, PAGE, {"title": row.name, "note": note, **_preview_context(row)})


def bot_preview(request: HttpRequest, bot: Bot) -> HttpResponse:
    context: dict[str, Any] = {"title": bot.title, "note": NOTES["bot"], "options": options_of(bot)}
    context["problems"] = []
    for row, what in ((bot.concept, "concept"), (bot.methodology, "methodology")):
        part = _preview_context(row) if row else {"problems": [f"This bot has no {what} yet."]}
        context["problems"] += part.pop("problems", [])
        context |= part
    return render(request, PAGE, context)


def _preview_context(row: LadderFile) -> dict[str, Any]:
    kind = kind_of(row)
    try:
        content: Any = kind.read_cached(row.source, row.key)
    except BrokenDocument as error:
        return {"problems": [f"“{row}” can't be read: {error.problems[0]}."]}
    return {kind.name: preview(content) if kind == METHODOLOGY else content}
