from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from unfold.decorators import action

from llm.routing.routes import NO_MODEL
from plans.admin.dialogs import go
from plans.jobs import MOST_ATTEMPTS, Job
from plans.models import Bot, Intelligence
from plans.protocols.topic_exploration.content import current_signature, options_of
from plans.protocols.topic_exploration.topic_guides.form import IntelligenceForm, intelligence_form
from plans.protocols.topic_exploration.topic_guides.requests import (
    current_guides,
    request_guides,
    request_new_guides,
    write_guides,
)

AGAIN = {
    "title": "Make it again?",
    "description": "A model prepares all topics anew. What is there now, also what you have "
    "written into it, is used until then and replaced when the new one is done.",
    "form_class": None,
    "form_submit_text": "Make it again",
}
STATUS = "admin/plans/intelligence/status.html"
PAGE = "admin/plans/intelligence/page.html"


@action(description="Intelligence", icon="neurology", permissions=["view"])
def intelligence(admin: Any, request: HttpRequest, object_id: str) -> HttpResponse:
    bot = admin.having(request, object_id, "topics")
    if request.GET.get("part") == "status":
        return _status(request, bot)
    return _page(admin, request, bot)


@action(description="Make intelligence again", icon="refresh", permissions=["change"], dialog=AGAIN)
def make_again(admin: Any, request: HttpRequest, form: Any, object_id: str) -> HttpResponse:
    bot = admin.having(request, object_id, "topics")
    with transaction.atomic():
        row = request_guides(bot)
        if row and row.status in (Job.Status.READY, Job.Status.FAILED, Job.Status.PENDING):
            request_new_guides(row)
    return go(request, page_url(bot))


def page_url(bot: Bot) -> str:
    return reverse("admin:plans_bot_intelligence", args=[bot.pk])


def _page(admin: Any, request: HttpRequest, bot: Bot) -> HttpResponse:
    row = current_guides(bot)
    topics = list(bot.topics.prefetch_related("sub_goals"))
    form = intelligence_form(topics, row.content if row else {})(request.POST or None)
    may_change = admin.has_change_permission(request, bot)
    if request.method == "POST":
        if not may_change:
            raise PermissionDenied
        if form.is_valid():
            return _save(request, bot, form)
    earlier = bot.intelligence.exclude(signature=current_signature(bot)).exclude(content={})
    context = _context(bot, row) | {
        "title": f"Intelligence of “{bot}”",
        "form": form,
        "topics": topics,
        "may_change": may_change,
        "written": may_change and not (row and row.status == Job.Status.RUNNING),
        "earlier": list(earlier),
    }
    page: HttpResponse = admin.page(request, PAGE, bot, **context)
    return page


@transaction.atomic
def _save(request: HttpRequest, bot: Bot, form: IntelligenceForm) -> HttpResponse:
    row = request_guides(bot)
    if row:
        write_guides(row, form.content())
        messages.success(request, "Saved. Interviews that begin from now on use it.")
    return redirect(page_url(bot))


def _status(request: HttpRequest, bot: Bot) -> HttpResponse:
    context, written = _context(bot, current_guides(bot)), "written" in request.GET
    more = {"original": bot, "written": written, "behind": written and not context["busy"]}
    response = render(request, STATUS, context | more)
    if not context["busy"] and not written:
        response["HX-Refresh"] = "true"
    return response


def _context(bot: Bot, row: Intelligence | None) -> dict[str, Any]:
    return {
        "intelligence": row,
        "busy": row is not None and is_busy(row),
        "no_model": row is not None and row.reason == NO_MODEL,
        "most_attempts": MOST_ATTEMPTS,
        "guided": bool(options_of(bot).manual_guide),
        "count": bot.topics.count(),
    }


def is_busy(row: Intelligence) -> bool:
    waiting = row.status == Job.Status.PENDING and row.reason != NO_MODEL
    return waiting or row.status == Job.Status.RUNNING
