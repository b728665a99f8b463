from collections.abc import Sequence
from typing import Any, ClassVar

from django.contrib import admin, messages
from django.core.files.uploadedfile import UploadedFile
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from unfold.decorators import action, display

from plans.admin.base import PartAdmin, StudyAdmin, require
from plans.admin.dialogs import dialog, go, status_part
from plans.admin.pages import outline_of
from plans.documents import FileKind, Reason, limits
from plans.documents.file_types import clean, kind_of_name
from plans.jobs import MOST_ATTEMPTS, UNDER_WAY, Job
from plans.models import Bot, Document
from plans.protocols.knowledge_transfer.analysis.deep_dive import LISTS
from plans.protocols.knowledge_transfer.analysis.requests import (
    MOST_BYTES,
    MOST_DOCUMENTS,
    DocumentRejected,
    add_file,
    add_text,
    remove_document,
    request_new_dive,
    write_dive,
)
from plans.protocols.knowledge_transfer.analysis.status import progress
from plans.protocols.knowledge_transfer.backlog import summary_of
from plans.protocols.knowledge_transfer.content import dive_of
from plans.protocols.knowledge_transfer.forms import DiveForm, PasteForm
from plans.text.markdown import as_html

KINDS = {
    FileKind.TEXT: "Text",
    FileKind.MARKDOWN: "Markdown",
    FileKind.CSV: "CSV",
    FileKind.XLSX: "Excel",
    FileKind.DOCX: "Word",
    FileKind.PDF: "PDF",
    FileKind.CODE: "Source code",
}
STATES = {
    Job.Status.PENDING: ("Waiting", "info"),
    Job.Status.RUNNING: ("Being read", "info"),
    Job.Status.READY: ("Ready", "success"),
    Job.Status.FAILED: ("Not read", "danger"),
}
MADE_BY = {
    "model": "Written by a model",
    "rules": "Assembled from the documents' own sentences",
    "person": "Written by hand",
}


def document_labels(row: Document) -> dict[str, Any]:
    state, tone = STATES[Job.Status(row.status)]
    if row.status == Job.Status.READY and row.edited:
        state = "Ready, edited"
    kind = FileKind(row.kind) if row.kind else kind_of_name(row.name)
    again = " It will be retried automatically." if row.attempts else ""
    return {
        "row": row,
        "kind": KINDS[kind] if kind else "File",
        "state": state,
        "tone": tone,
        "note": row.reason + (again if row.status == Job.Status.PENDING else ""),
    }


def made_by(content: dict[str, Any]) -> str:
    return MADE_BY.get(str(content.get("made_by", "")), "")


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


def _page(
    admin: StudyAdmin,
    request: HttpRequest,
    bot: Bot,
    form: PasteForm,
    problems: Sequence[Problem] = (),
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
        "too_large": Reason.TOO_LARGE.value,
    }
    return admin.page(request, PAGE, bot, **context)


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


def _add(admin: StudyAdmin, request: HttpRequest, bot: Bot) -> HttpResponse:
    require(request, ADD)
    if "text" in request.POST:
        return _add_text(admin, request, bot)
    files = [_add_file(bot, file) for file in request.FILES.getlist("files")]
    if request.accepts("text/html"):
        return _answer_without_script(admin, request, bot, files)
    return JsonResponse({"files": files})


def _add_text(admin: StudyAdmin, request: HttpRequest, bot: Bot) -> HttpResponse:
    form = PasteForm(request.POST)
    if form.is_valid():
        try:
            added = add_text(bot, form.cleaned_data["name"], form.cleaned_data["text"])
        except DocumentRejected as error:
            form.add_error("text", str(error))
        else:
            messages.success(request, f"Added “{added}”. It is being read.")
            return redirect("admin:plans_bot_documents", bot.pk)
    return _page(admin, request, bot, form)


def _add_file(bot: Bot, file: "UploadedFile[bytes]") -> Problem:
    name = clean(file.name or "")
    if (file.size or 0) > limits.BYTES:  # not even read
        return {"name": name, "problem": Reason.TOO_LARGE.value}
    try:
        added = add_file(bot, name, file.read())
    except DocumentRejected as error:
        return {"name": name, "problem": str(error)}
    return {"name": added.name, "problem": ""}


def _answer_without_script(
    admin: StudyAdmin, request: HttpRequest, bot: Bot, files: list[Problem]
) -> HttpResponse:
    count = sum(not file["problem"] for file in files)
    if count:
        messages.success(request, f"{count} document{'' if count == 1 else 's'} added.")
    problems = [file for file in files if file["problem"]]
    if not files:
        problems = [{"name": "", "problem": "Choose a file first."}]
    if problems:
        return _page(admin, request, bot, PasteForm(), problems)
    return redirect("admin:plans_bot_documents", bot.pk)


STATUS = "admin/plans/knowledge/document_status.html"
PARTS_A_PAGE = 20
AGAIN = dialog(
    "Analyse it again?",
    "The current analysis, including your edits, is used until the new one is "
    "ready, and then replaced.",
    "Reanalyse",
)


@admin.register(Document)
class DocumentAdmin(PartAdmin):
    whole = "bot"
    form = DiveForm
    actions_detail = ["look_again"]
    change_form_outer_before_template = "admin/plans/knowledge/document_around.html"
    change_form_before_template = "admin/plans/seen.html"
    change_form_outer_after_template = "admin/plans/knowledge/document_text.html"

    class Media:
        css: ClassVar = {"all": ["plans/knowledge.css"]}

    def get_queryset(self, request: HttpRequest) -> QuerySet[Document]:
        queryset: QuerySet[Document] = super().get_queryset(request)
        return queryset.select_related("bot")

    def has_change_permission(self, request: HttpRequest, obj: Document | None = None) -> bool:
        """Refuse while the document is being read, or if it could not be: nothing to change."""
        allowed = bool(super().has_change_permission(request, obj))
        return allowed and (obj is None or has_dive(obj))

    def has_again_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return bool(super().has_change_permission(request))

    def get_fields(self, request: HttpRequest, obj: Document | None = None) -> list[str]:
        if self.has_change_permission(request, obj):
            return ["purpose", *LISTS]
        return ["outline"] if obj and has_dive(obj) else []

    def get_fieldsets(self, request: HttpRequest, obj: Document | None = None) -> Any:
        fields = self.get_fields(request, obj)
        return [(None, {"fields": fields})] if fields else []

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> list[str]:
        return ["outline"]

    @display(description="Analysis")
    def outline(self, document: Document) -> str:
        return outline_of(dive_of(document).model_dump(mode="json", exclude={"points"}))

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        if request.GET.get("part") == "status":
            row = self.row(request, object_id)
            return status_part(request, STATUS, _state(row) | {"original": row})
        response: HttpResponse = super().change_view(request, object_id, form_url, extra_context)
        return response

    def change_form_context(self, request: HttpRequest, row: Document | None) -> dict[str, Any]:
        if row is None:
            return {}
        parts = Paginator(row.parts.all(), PARTS_A_PAGE).get_page(request.GET.get("p"))
        return _state(row) | {"parts": parts, "points": row.content.get("points", ())}

    def save_model(self, request: HttpRequest, obj: Document, form: Any, change: bool) -> None:
        if form.has_changed():
            write_dive(obj, form.dive())

    def whole_url(self, row: Document) -> str:
        return reverse("admin:plans_bot_documents", args=[row.bot_id])

    def delete_model(self, request: HttpRequest, obj: Document) -> None:
        request.whole_url = self.whole_url(obj)  # type: ignore[attr-defined]
        remove_document(obj)

    @action(description="Reanalyse", icon="refresh", permissions=["view", "again"], dialog=AGAIN)
    def look_again(self, request: HttpRequest, form: Any, object_id: str) -> HttpResponse:
        document = self.row(request, object_id)
        if document.status not in UNDER_WAY:
            request_new_dive(document)
            messages.info(request, "It is being analysed again.")
        return go(request, self.change_url(document))


def has_dive(document: Document) -> bool:
    return document.status not in UNDER_WAY and bool(document.kind)


def _state(document: Document) -> dict[str, Any]:
    return {
        "shown": document_labels(document),
        "busy": document.status in UNDER_WAY,
        "made_by": made_by(document.content),
        "most_attempts": MOST_ATTEMPTS,
    }
