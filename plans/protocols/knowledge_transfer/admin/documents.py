from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from unfold.decorators import action

from plans.documents import Reason, limits
from plans.documents.file_names import clean
from plans.documents.problems import SENTENCES
from plans.jobs import MOST_ATTEMPTS
from plans.models import Bot
from plans.protocols.knowledge_transfer.admin.labels import document_labels
from plans.protocols.knowledge_transfer.analysis import (
    DocumentRejected,
    add_file,
    add_text,
    progress,
)
from plans.protocols.knowledge_transfer.analysis.uploads import MOST_BYTES, MOST_DOCUMENTS
from plans.protocols.knowledge_transfer.backlog_files import summary_of
from plans.protocols.knowledge_transfer.forms.documents import PasteForm
from plans.text.markdown import as_html

PAGE = "admin/plans/knowledge/documents.html"
LIST = "admin/plans/knowledge/list.html"
ADD = "plans.add_document"
Problem = dict[str, str]  # name, problem (empty if the file was added)


@action(description="Documents", icon="folder_open", permissions=["view", "documents"])
def documents(admin: Any, request: HttpRequest, object_id: str) -> HttpResponse:
    bot = admin.having(request, object_id, "backlog")
    if request.method == "POST":
        return _add(admin, request, bot)
    if request.GET.get("part") == "list":
        return render(request, LIST, _context(bot))
    return _page(admin, request, bot, PasteForm())


def page_url(bot: Bot) -> str:
    return reverse("admin:plans_bot_documents", args=[bot.pk])


def _page(
    admin: Any, request: HttpRequest, bot: Bot, form: PasteForm, problems: Sequence[Problem] = ()
) -> HttpResponse:
    context = _context(bot) | {
        "title": f"Documents of “{bot}”",
        "form": form,
        "problems": problems,
        "may_add": request.user.has_perm(ADD),
        "limits": {
            "file": limits.BYTES // limits.MEGABYTE,
            "bytes": limits.BYTES,
            "documents": MOST_DOCUMENTS,
            "all": MOST_BYTES // limits.MEGABYTE,
        },
        "too_large": SENTENCES[Reason.TOO_LARGE],
    }
    response: HttpResponse = admin.page(request, PAGE, bot, **context)
    return response


def _context(bot: Bot) -> dict[str, Any]:
    rows = list(bot.documents.all())
    context = getattr(bot, "project_context", None)
    return {
        "original": bot,
        "documents": [document_labels(row) for row in rows],
        "state": progress(bot),
        "context": context,
        "summary": as_html(summary_of(bot)),
        "most_attempts": MOST_ATTEMPTS,
    }


def _add(admin: Any, request: HttpRequest, bot: Bot) -> HttpResponse:
    if not request.user.has_perm(ADD):
        raise PermissionDenied
    if "text" in request.POST:
        return _add_text(admin, request, bot)
    files = [_add_file(bot, file) for file in request.FILES.getlist("files")]
    if request.accepts("text/html"):
        return _answer_without_script(admin, request, bot, files)
    return JsonResponse({"files": files})


def _add_text(admin: Any, request: HttpRequest, bot: Bot) -> HttpResponse:
    form = PasteForm(request.POST)
    if form.is_valid():
        try:
            added = add_text(bot, form.cleaned_data["name"], form.cleaned_data["text"])
        except DocumentRejected as error:
            form.add_error("text", str(error))
        else:
            messages.success(request, f"“{added}” is there. It is being read now.")
            return redirect(page_url(bot))
    return _page(admin, request, bot, form)


def _add_file(bot: Bot, file: "UploadedFile[bytes]") -> Problem:
    name = clean(file.name or "")
    if (file.size or 0) > limits.BYTES:  # not even read
        return {"name": name, "problem": SENTENCES[Reason.TOO_LARGE]}
    try:
        added = add_file(bot, name, file.read())
    except DocumentRejected as error:
        return {"name": name, "problem": str(error)}
    return {"name": added.name, "problem": ""}


def _answer_without_script(
    admin: Any, request: HttpRequest, bot: Bot, files: list[Problem]
) -> HttpResponse:
    count = sum(not file["problem"] for file in files)
    if count:
        messages.success(request, f"{count} document{'' if count == 1 else 's'} taken in.")
    problems = [file for file in files if file["problem"]]
    if not files:
        problems = [{"name": "", "problem": "No file was chosen."}]
    if problems:
        return _page(admin, request, bot, PasteForm(), problems)
    return redirect(page_url(bot))
