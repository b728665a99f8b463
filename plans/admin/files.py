from collections.abc import Iterable
from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from unfold.decorators import action

from plans.admin import exports, imports
from plans.admin.base import StudyAdmin
from plans.models import Bot, Script
from plans.portability.formats import Format


class FileActions(StudyAdmin):
    """Import and export of scripts and bots."""

    def import_file(self, request: HttpRequest, row: Any = None) -> HttpResponse:
        return imports.import_page(self, request, imports.BOT, row)

    def export_rows(self, rows: Iterable[Script | Bot], form: Format) -> HttpResponse:
        return exports.rows_file(rows, form, f"{self.opts.model_name}s")

    @action(description="Import", icon="upload", permissions=["add"], url_path="import")
    def import_new(self, request: HttpRequest) -> HttpResponse:
        return self.import_file(request)

    @action(
        description="Update from a file", icon="upload", permissions=["change"], url_path="import"
    )
    def import_into(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self.import_file(request, self.row(request, object_id))

    @action(description="Export as YAML", icon="download", permissions=["view"])
    def export_yaml(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self.export_rows([self.row(request, object_id)], "yaml")

    @action(description="Export as JSON", icon="download", permissions=["view"])
    def export_json(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self.export_rows([self.row(request, object_id)], "json")

    @admin.action(description="Export as YAML", permissions=["view"])
    def export_selected_yaml(self, request: HttpRequest, queryset: QuerySet[Any]) -> HttpResponse:
        return self.export_rows(queryset, "yaml")

    @admin.action(description="Export as JSON", permissions=["view"])
    def export_selected_json(self, request: HttpRequest, queryset: QuerySet[Any]) -> HttpResponse:
        return self.export_rows(queryset, "json")
