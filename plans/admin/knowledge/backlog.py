"""The page of a bot's backlog: written, dragged into order, brought in and out."""

from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from unfold.decorators import action

from plans.admin import exporting, importing
from plans.backlog import alike_in, in_order
from plans.content.knowledge_transfer import options_of
from plans.forms.backlog import BacklogRows, NewQuestionsForm
from plans.knowledge import progress
from plans.models import BacklogQuestion, Bot
from plans.models.knowledge import MOST_QUESTIONS
from plans.portability.reading import Format

PAGE = "admin/plans/knowledge/backlog.html"
ALIKE = "admin/plans/knowledge/alike.html"  # asked for by the page, since it takes its time
FORMATS: dict[str, Format] = {"yaml": "yaml", "csv": "csv"}
GROUPS = {
    "P0": ("asked first", "What the successor can't do without."),
    "P1": ("asked after that", "As many as the rounds allow."),
    "P2": ("not asked", "Goes into the list of open points."),
}


class BacklogActions:
    """Actions of BotAdmin about the backlog."""

    @action(description="Backlog", icon="checklist", permissions=["view"])
    def backlog(self: Any, request: HttpRequest, object_id: str) -> HttpResponse:
        """The questions, by priority."""
        bot = self.having(request, object_id, "backlog")
        if request.GET.get("part") == "alike":
            return render(request, ALIKE, {"alike": alike_in(in_order(bot))})
        if request.method != "POST":
            return _page(self, request, bot)
        if not self.has_change_permission(request, bot):
            raise PermissionDenied
        return _save(self, request, bot)

    @action(description="Import backlog", icon="upload", permissions=["change"])
    def import_backlog(self: Any, request: HttpRequest, object_id: str) -> HttpResponse:
        """A CSV, YAML or JSON file that joins the backlog, or that it becomes equal to."""
        bot = self.having(request, object_id, "backlog")
        return importing.import_page(self, request, importing.BACKLOG, bot)

    @action(description="Export backlog", icon="download", permissions=["view"])
    def export_backlog(self: Any, request: HttpRequest, object_id: str) -> HttpResponse:
        """The backlog as a YAML file, or as CSV (?format=csv)."""
        form = FORMATS.get(request.GET.get("format", "yaml"))
        if form is None:
            raise Http404
        return exporting.backlog_file(self.having(request, object_id, "backlog"), form)


def page_url(bot: Bot) -> str:
    """The page of the bot's backlog."""
    return reverse("admin:plans_bot_backlog", args=[bot.pk])


def _save(admin: Any, request: HttpRequest, bot: Bot) -> HttpResponse:
    rows = BacklogRows(data=request.POST, instance=bot, queryset=_queryset(bot))
    new = NewQuestionsForm(request.POST, bot=bot)
    if not (rows.is_valid() and new.is_valid()):
        return _page(admin, request, bot, rows, new)
    with transaction.atomic():
        rows.save()
        added = new.save()
    messages.success(request, _said(rows, added))
    return redirect(page_url(bot))


def _said(rows: Any, added: int) -> str:
    reworded = [fields for _, fields in rows.changed_objects if fields != ["position"]]
    counts = {"added": added, "changed": len(reworded), "deleted": len(rows.deleted_objects)}
    told = ", ".join(f"{count} {what}" for what, count in counts.items() if count)
    if not told and rows.changed_objects:
        told = "the order"
    return f"Saved: {told}." if told else "Nothing was changed."


def _queryset(bot: Bot) -> Any:
    return BacklogQuestion.objects.filter(bot=bot).order_by("priority", "position", "id")


def _page(
    admin: Any, request: HttpRequest, bot: Bot, rows: Any = None, new: Any = None
) -> HttpResponse:
    rows = rows or BacklogRows(instance=bot, queryset=_queryset(bot))
    questions = in_order(bot)
    context = {
        "title": f"Backlog of “{bot}”",
        "rows": rows,
        "new": new or NewQuestionsForm(bot=bot),
        "groups": _groups(rows),
        "questions": questions,
        "rounds": options_of(bot).rounds,
        "most": MOST_QUESTIONS,
        "state": progress(bot),
        "may_change": admin.has_change_permission(request, bot),
    }
    response: HttpResponse = admin.page(request, PAGE, bot, **context)
    return response


def _groups(rows: Any) -> list[dict[str, Any]]:
    """The forms of the rows under their stored priorities."""
    return [
        {
            "priority": priority,
            "name": name,
            "why": why,
            "forms": [form for form in rows.forms if form.instance.priority == priority],
        }
        for priority, (name, why) in GROUPS.items()
    ]
