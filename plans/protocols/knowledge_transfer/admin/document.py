from typing import Any, ClassVar

from django.contrib import admin, messages
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from unfold.decorators import action, display

from plans.admin.base import StudyAdmin
from plans.admin.dialogs import go
from plans.admin.pages import outline_of
from plans.jobs import MOST_ATTEMPTS, UNDER_WAY
from plans.models import Document
from plans.protocols.knowledge_transfer.admin.documents import page_url
from plans.protocols.knowledge_transfer.admin.labels import document_labels, made_by
from plans.protocols.knowledge_transfer.analysis import (
    remove_document,
    request_new_dive,
    write_dive,
)
from plans.protocols.knowledge_transfer.analysis.deep_dive import LISTS
from plans.protocols.knowledge_transfer.content import dive_of
from plans.protocols.knowledge_transfer.forms.documents import DiveForm

STATUS = "admin/plans/knowledge/document_status.html"
PARTS_A_PAGE = 20
AGAIN = {
    "title": "Look into it again?",
    "description": "What is there now, also what you have written, is used until the new one is "
    "done, and replaced then.",
    "form_class": None,
    "form_submit_text": "Look again",
}


@admin.register(Document)
class DocumentAdmin(StudyAdmin):
    form = DiveForm
    actions_detail = ["look_again"]
    change_form_outer_before_template = "admin/plans/knowledge/document_around.html"
    change_form_outer_after_template = "admin/plans/knowledge/document_text.html"

    class Media:
        css: ClassVar = {"all": ["plans/knowledge.css"]}

    def has_module_permission(self, request: HttpRequest) -> bool:
        return False

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        return redirect("admin:plans_bot_changelist")

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

    @display(description="What it comes to")
    def outline(self, document: Document) -> str:
        return outline_of(dive_of(document).model_dump(mode="json", exclude={"points"}))

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        if request.GET.get("part") == "status":
            return _status(request, self.row(request, object_id))
        response: HttpResponse = super().change_view(request, object_id, form_url, extra_context)
        return response

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        if document := context.get("original"):
            pages = Paginator(document.parts.all(), PARTS_A_PAGE)
            context |= _state(document) | {
                "parts": pages.get_page(request.GET.get("p")),
                "points": document.content.get("points", ()),
            }
        response: HttpResponse = super().render_change_form(request, context, *args, **kwargs)
        return response

    def save_model(self, request: HttpRequest, obj: Document, form: Any, change: bool) -> None:
        if form.has_changed():
            write_dive(obj, form.dive())

    def response_post_save_change(self, request: HttpRequest, obj: Document) -> HttpResponse:
        return redirect(page_url(obj.bot))

    def delete_model(self, request: HttpRequest, obj: Document) -> None:
        request.documents_url = page_url(obj.bot)  # type: ignore[attr-defined]
        remove_document(obj)

    def response_delete(self, request: HttpRequest, obj_display: str, obj_id: int) -> HttpResponse:
        self.message_user(request, f"“{obj_display}” is removed.")
        return redirect(getattr(request, "documents_url", reverse("admin:plans_bot_changelist")))

    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: Any = None
    ) -> HttpResponse:
        """Redirect to the bot's history: documents have none of their own."""
        return redirect("admin:plans_bot_history", self.row(request, object_id).bot_id)

    @action(description="Look again", icon="refresh", permissions=["view", "again"], dialog=AGAIN)
    def look_again(self, request: HttpRequest, form: Any, object_id: str) -> HttpResponse:
        document = self.row(request, object_id)
        if document.status not in UNDER_WAY:
            request_new_dive(document)
            messages.info(request, "It is being looked into again.")
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


def _status(request: HttpRequest, document: Document) -> HttpResponse:
    context = _state(document) | {"original": document}
    response = render(request, STATUS, context)
    if not context["busy"]:
        response["HX-Refresh"] = "true"
    return response
