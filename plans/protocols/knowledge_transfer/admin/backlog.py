from typing import Any

from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from unfold.decorators import action

from plans.admin import exports, imports
from plans.admin.base import StudyAdmin, require
from plans.forms.imports import ImportForm, RowsImportForm
from plans.models import BacklogQuestion, Bot
from plans.models.knowledge import MOST_QUESTIONS
from plans.portability.documents import BacklogDocument
from plans.portability.formats import Format
from plans.portability.reader import read_backlog
from plans.protocols.knowledge_transfer.analysis.status import progress
from plans.protocols.knowledge_transfer.backlog import (
    add_missing_questions,
    apply_backlog,
    backlog_changes,
    backlog_document,
    ordered_questions,
)
from plans.protocols.knowledge_transfer.content import options_of
from plans.protocols.knowledge_transfer.forms import BacklogRows, NewQuestionsForm
from plans.similarity import similar_pairs

PAGE = "admin/plans/knowledge/backlog.html"
ALIKE = "admin/plans/knowledge/alike.html"  # loaded by the page afterwards, since it is slow
FORMATS: dict[str, Format] = {"yaml": "yaml", "csv": "csv"}
GROUPS = {
    "P0": ("asked first", "What the successor can't do without."),
    "P1": ("asked after that", "As many as the rounds allow."),
    "P2": ("not asked", "Goes into the list of open points."),
}


def _read_backlog(form: ImportForm, bot: Bot) -> BacklogDocument:
    known = dict(bot.backlog.values_list("text", "key"))
    data = form.cleaned_data
    return read_backlog(form.content(), data["format"] or None, data["filename"], known)


BACKLOG = imports.ImportKind(
    "backlog",
    RowsImportForm,
    _read_backlog,
    lambda document: None,
    backlog_changes,
    apply_backlog,
    page="backlog",
    add_missing=add_missing_questions,
)


@action(description="Backlog", icon="checklist", permissions=["view"])
def backlog(admin: Any, request: HttpRequest, object_id: str) -> HttpResponse:
    bot = admin.having(request, object_id, "backlog")
    if request.GET.get("part") == "alike":
        return render(request, ALIKE, {"alike": similar_pairs(ordered_questions(bot))})
    if request.method != "POST":
        return _page(admin, request, bot)
    require(request, "plans.change_bot")
    return _save(admin, request, bot)


@action(description="Import backlog", icon="upload", permissions=["change"])
def import_backlog(admin: Any, request: HttpRequest, object_id: str) -> HttpResponse:
    bot = admin.having(request, object_id, "backlog")
    return imports.import_page(admin, request, BACKLOG, bot)


@action(description="Export backlog", icon="download", permissions=["view"])
def export_backlog(admin: Any, request: HttpRequest, object_id: str) -> HttpResponse:
    file_format = FORMATS.get(request.GET.get("format", "yaml"))
    if file_format is None:
        raise Http404
    bot = admin.having(request, object_id, "backlog")
    name = f"{exports.file_name(bot)}-backlog"
    return exports.document_file(name, file_format, backlog_document(bot))


def _save(admin: StudyAdmin, request: HttpRequest, bot: Bot) -> HttpResponse:
    rows = BacklogRows(data=request.POST, instance=bot, queryset=_queryset(bot))
    new = NewQuestionsForm(request.POST, bot=bot)
    if not (rows.is_valid() and new.is_valid()):
        return _page(admin, request, bot, rows, new)
    with transaction.atomic():
        rows.save()
        added = new.save()
    messages.success(request, _saved_message(rows, added))
    return redirect("admin:plans_bot_backlog", bot.pk)


def _saved_message(rows: Any, added: int) -> str:
    reworded = [fields for _, fields in rows.changed_objects if fields != ["position"]]
    counts = {"added": added, "changed": len(reworded), "deleted": len(rows.deleted_objects)}
    changes = ", ".join(f"{count} {what}" for what, count in counts.items() if count)
    if not changes and rows.changed_objects:
        changes = "the order"
    return f"Saved: {changes}." if changes else "Nothing changed."


def _queryset(bot: Bot) -> Any:
    return BacklogQuestion.objects.filter(bot=bot).order_by("priority", "position", "id")


def _page(
    admin: StudyAdmin, request: HttpRequest, bot: Bot, rows: Any = None, new: Any = None
) -> HttpResponse:
    rows = rows or BacklogRows(instance=bot, queryset=_queryset(bot))
    context = {
        "title": f"Backlog of “{bot}”",
        "rows": rows,
        "new": new or NewQuestionsForm(bot=bot),
        "groups": _groups(rows),
        "questions": ordered_questions(bot),
        "rounds": options_of(bot).rounds,
        "most": MOST_QUESTIONS,
        "state": progress(bot),
        "may_change": admin.has_change_permission(request, bot),
    }
    return admin.page(request, PAGE, bot, **context)


def _groups(rows: Any) -> list[dict[str, Any]]:
    return [
        {
            "priority": priority,
            "name": name,
            "why": why,
            "forms": [form for form in rows.forms if form.instance.priority == priority],
        }
        for priority, (name, why) in GROUPS.items()
    ]
