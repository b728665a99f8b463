from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db import models
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.timezone import localtime
from unfold.admin import ModelAdmin
from unfold.widgets import UnfoldAdminExpandableTextareaWidget, UnfoldAdminTextareaWidget

from plans.forms.fields import TidyText
from plans.models import Bot

TIDY = {models.TextField: {"form_class": TidyText, "widget": UnfoldAdminTextareaWidget}}
TIDY_GROWING = {
    models.TextField: {"form_class": TidyText, "widget": UnfoldAdminExpandableTextareaWidget}
}


class StudyAdmin(ModelAdmin):
    """Base of the admin: forms warn about unsaved work, empty lists say how to begin."""

    formfield_overrides = TIDY
    warn_unsaved_form = True
    list_per_page = 50
    how_to_begin = ""  # shown where the list is empty

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Accept the row that Unfold passes when it asks for an action."""
        return bool(super().has_add_permission(request))

    def page(
        self, request: HttpRequest, template: str, row: models.Model | None, **context: Any
    ) -> HttpResponse:
        """Render a page of the admin about a row, or about the whole list."""
        base = {"opts": self.opts, "original": row, "row": row, "media": self.media}
        return render(request, template, base | self.admin_site.each_context(request) | context)

    def row(self, request: HttpRequest, object_id: str) -> Any:
        """Return the row. Raises Http404, or PermissionDenied without the right to view it."""
        row = self.get_object(request, object_id)
        if row is None:
            raise Http404
        if not self.has_view_or_change_permission(request, row):
            raise PermissionDenied
        return row

    def change_form_context(self, request: HttpRequest, row: Any) -> dict[str, Any]:
        """Return what the form's templates need besides; `row` is None for a new one."""
        return {}

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        context |= self.change_form_context(request, context.get("original"))
        response: HttpResponse = super().render_change_form(request, context, *args, **kwargs)
        return response

    def change_url(self, row: models.Model) -> str:
        return reverse(f"admin:{self.opts.app_label}_{row._meta.model_name}_change", args=[row.pk])


def bots_linked(bots: Iterable[Bot]) -> SafeString | None:
    """Return links to the bots' pages, or None without bots."""
    links = ((reverse("admin:plans_bot_change", args=[bot.pk]), bot) for bot in bots)
    return format_html_join(", ", '<a class="study-link" href="{}">{}</a>', links) or None


def moment(at: datetime) -> str:
    """Return a time in the site's time zone, in one format for all languages."""
    return f"{localtime(at):%Y-%m-%d %H:%M}"
