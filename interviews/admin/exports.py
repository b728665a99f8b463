"""Who read and exported what, and the tokens by which programs export."""

from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.html import format_html
from unfold.decorators import display

from interviews.admin.base import FieldworkAdmin, OwnRows, session_link, user_of
from interviews.admin.export_page import may_export
from interviews.exports.tokens import new_token, revoke
from interviews.models import AccessRecord, ExportToken, Session
from plans.admin.base import TeamDropdownFilter, time_column

SHOWN_ONCE = (
    "Copy the token now, it isn’t shown again: <code>{}</code>. Programs send it in the header "
    "<code>Authorization: Bearer</code>."
)

NAME_HELP = "The program that uses it. The token itself is shown once, after you make it."


@admin.register(AccessRecord)
class AccessRecordAdmin(FieldworkAdmin):
    list_display = ["when", "name", "what", "bot", "interview"]
    list_select_related = ["bot"]
    list_filter = [("bot", TeamDropdownFilter), "what"]
    search_fields = ["name", "what", "session"]
    search_help_text = "User, what was done, interview’s ID"
    date_hierarchy = "at"
    how_to_begin = (
        "Whoever reads a transcript, sees names and addresses, or downloads data is recorded here. "
        "Opening the same thing again within an hour makes no second line."
    )

    when = time_column("When", "at")

    @display(description="Interview", empty_value="")
    def interview(self, record: AccessRecord) -> str | None:
        key = record.session
        return session_link(Session(pk=key), str(key)[:8]) if key else None


@admin.register(ExportToken)
class ExportTokenAdmin(OwnRows):
    list_display = ["name", "user", "made", "used"]
    fields = ["name"]
    how_to_begin = (
        "With a token, a program exports over HTTP what you may export, without your password. "
        "Its exports are on record under your name. Delete a token to revoke it."
    )

    def get_form(self, *args: Any, **kwargs: Any) -> Any:
        return super().get_form(*args, **kwargs, help_texts={"name": NAME_HELP})

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_add_permission(request) and may_export(request)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def save_model(self, request: HttpRequest, obj: ExportToken, form: Any, change: bool) -> None:
        secret, token = new_token(user_of(request), obj.name)
        obj.pk = token.pk  # for the admin's log
        messages.success(request, format_html(SHOWN_ONCE, secret))

    def response_add(
        self, request: HttpRequest, obj: ExportToken, post_url_continue: str | None = None
    ) -> HttpResponse:
        return redirect(reverse("admin:interviews_exporttoken_changelist"))

    def delete_model(self, request: HttpRequest, obj: ExportToken) -> None:
        revoke(obj, user_of(request))

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[ExportToken]) -> None:
        for token in queryset:
            revoke(token, user_of(request))

    made = time_column("Made", "created_at")
    used = time_column("Last used", "used_at", "never")
