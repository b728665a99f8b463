from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from plans.admin.bot_page import BotPage, split_options
from plans.forms.bot import OwnTab
from plans.models import Bot
from plans.protocols.knowledge_transfer.admin.backlog import backlog, export_backlog, import_backlog
from plans.protocols.knowledge_transfer.admin.documents import DocumentAdmin, documents
from plans.protocols.knowledge_transfer.admin.summary import summary, summary_again
from plans.protocols.knowledge_transfer.handover import handover, handover_facts

__all__ = ["PAGE", "DocumentAdmin"]


def _tabs(bot: Bot) -> list[OwnTab]:
    asking, reward = split_options(bot)
    return [OwnTab("Interview", ["minutes", "persona", *asking]), reward]


def handover_preview(request: HttpRequest, bot: Bot) -> HttpResponse:
    return render(request, "plans/handover.html", {"title": bot.title, "seen": handover(bot)})


PAGE = BotPage(
    options=("languages", "project"),
    tabs=_tabs,
    buttons=(documents, backlog),
    menu=(summary, summary_again, export_backlog, import_backlog),
    preview=handover_preview,
    facts=handover_facts,
    facts_template="admin/plans/knowledge/facts.html",
)
