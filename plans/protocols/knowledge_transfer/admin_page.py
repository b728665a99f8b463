from functools import partial
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from plans.admin.bot_page import BotPage, one_tab
from plans.models import BacklogQuestion, Bot, Document
from plans.protocols.knowledge_transfer.admin.backlog import backlog, export_backlog, import_backlog
from plans.protocols.knowledge_transfer.admin.documents import DocumentAdmin, documents
from plans.protocols.knowledge_transfer.admin.summary import summary, summary_again
from plans.protocols.knowledge_transfer.analysis.deep_dive import LISTS
from plans.protocols.knowledge_transfer.analysis.status import progress
from plans.protocols.knowledge_transfer.backlog import ordered_questions, summary_of
from plans.protocols.knowledge_transfer.content import dive_of, options_of
from plans.text.markdown import as_html

__all__ = ["PAGE", "DocumentAdmin"]


def handover_facts(bot: Bot) -> dict[str, Any]:
    unasked = bot.backlog.filter(priority=BacklogQuestion.Priority.P2).count()
    asked = bot.backlog.count() - unasked
    return {"state": progress(bot), "asked": asked, "unasked": unasked}


def handover_preview(request: HttpRequest, bot: Bot) -> HttpResponse:
    """Render what the interviewer would know and ask."""
    questions = ordered_questions(bot)
    seen = {
        "summary": as_html(summary_of(bot)),
        "documents": [_known_document(row) for row in bot.documents.all() if row.content],
        "waiting": progress(bot).waiting,  # documents that it would not know yet
        "asked": [q for q in questions if q.priority != "P2"],
        "unasked": [q for q in questions if q.priority == "P2"],
        "options": options_of(bot),
    }
    return render(request, "plans/handover.html", {"title": bot.title, "seen": seen})


def _known_document(row: Document) -> dict[str, Any]:
    """Return a document's findings by heading, or its own sentences if there are none."""
    dive = dive_of(row)
    lists = [(name.capitalize(), items) for name in LISTS if (items := getattr(dive, name))]
    return {"row": row, "dive": dive, "lists": lists or [("From the document", dive.points)]}


PAGE = BotPage(
    options=("languages", "project"),
    tabs=partial(one_tab, before=("minutes", "persona")),
    buttons=(documents, backlog),
    menu=(summary, summary_again, export_backlog, import_backlog),
    preview=handover_preview,
    facts=handover_facts,
    facts_template="admin/plans/knowledge/facts.html",
)
