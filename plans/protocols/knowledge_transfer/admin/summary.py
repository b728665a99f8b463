from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from unfold.decorators import action

from plans.admin.base import StudyAdmin, require
from plans.admin.dialogs import dialog, go, status_part
from plans.jobs import MOST_ATTEMPTS, UNDER_WAY
from plans.models import Bot, ProjectContext
from plans.protocols.knowledge_transfer.admin.documents import made_by
from plans.protocols.knowledge_transfer.analysis.requests import request_new_context, write_summary
from plans.protocols.knowledge_transfer.analysis.status import is_stale, progress
from plans.protocols.knowledge_transfer.forms import SummaryForm
from plans.text.markdown import as_html

PAGE = "admin/plans/knowledge/summary.html"
STATUS = "admin/plans/knowledge/summary_status.html"
PREVIEW = "admin/plans/knowledge/markdown.html"
AGAIN = dialog(
    "Regenerate it?",
    "The summary is written again from all documents, and your edits are replaced. "
    "New questions are added to the backlog. Existing ones stay as they are.",
    "Regenerate",
)


@action(description="Project summary", icon="summarize", permissions=["view"])
def summary(admin: Any, request: HttpRequest, object_id: str) -> HttpResponse:
    bot = admin.having(request, object_id, "backlog")
    part = request.GET.get("part")
    if part == "preview" and request.method == "POST":
        return render(request, PREVIEW, {"html": as_html(request.POST.get("summary", ""))})
    if part == "status":
        return status_part(request, STATUS, _context(bot))
    return _page(admin, request, bot)


@action(description="Regenerate summary", icon="refresh", permissions=["change"], dialog=AGAIN)
def summary_again(admin: Any, request: HttpRequest, form: Any, object_id: str) -> HttpResponse:
    bot = admin.having(request, object_id, "backlog")
    if progress(bot).ready:
        request_new_context(bot)
    else:
        messages.error(request, "No document has been read yet.")
    return go(request, "admin:plans_bot_summary", bot.pk)


def _page(admin: StudyAdmin, request: HttpRequest, bot: Bot) -> HttpResponse:
    row = ProjectContext.objects.filter(bot=bot).first() or ProjectContext(bot=bot)
    form = SummaryForm(request.POST or None, instance=row)
    may_change = admin.has_change_permission(request, bot)
    if request.method == "POST":
        require(request, "plans.change_bot")
        if form.is_valid():
            write_summary(bot, form.cleaned_data["summary"])
            messages.success(request, "Saved. Interviews that start from now on use it.")
            return redirect("admin:plans_bot_summary", bot.pk)
    context = _context(bot) | {
        "title": f"Project summary of “{bot}”",
        "form": form,
        "html": as_html(form["summary"].value() or ""),
        "may_change": may_change,
    }
    return admin.page(request, PAGE, bot, **context)


def _context(bot: Bot) -> dict[str, Any]:
    row = ProjectContext.objects.filter(bot=bot).first()
    return {
        "original": bot,
        "context": row,
        "state": progress(bot),
        "busy": row is not None and row.status in UNDER_WAY,
        "stale": row is not None and is_stale(row),
        "made_by": made_by(row.content) if row else "",
        "most_attempts": MOST_ATTEMPTS,
    }
