from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from unfold.decorators import action

from plans.admin import exports, imports
from plans.models import Bot


class FileActions:
    @action(description="Import", icon="upload", permissions=["add"], url_path="import")
    def import_new(self: Any, request: HttpRequest) -> HttpResponse:
        return imports.import_page(self, request, imports.BOT)

    @action(
        description="Import into this one", icon="upload", permissions=["change"], url_path="import"
    )
    def import_into(self: Any, request: HttpRequest, object_id: str) -> HttpResponse:
        return imports.import_page(self, request, imports.BOT, self.row(request, object_id))

    @action(description="Export as YAML", icon="download", permissions=["view"])
    def export_yaml(self: Any, request: HttpRequest, object_id: str) -> HttpResponse:
        return exports.bot_file(self.row(request, object_id), "yaml")

    @action(description="Export as JSON", icon="download", permissions=["view"])
    def export_json(self: Any, request: HttpRequest, object_id: str) -> HttpResponse:
        return exports.bot_file(self.row(request, object_id), "json")

    @admin.action(description="Export as YAML", permissions=["view"])
    def export_selected_yaml(
        self: Any, request: HttpRequest, queryset: QuerySet[Bot]
    ) -> HttpResponse:
        return exports.bots_file(queryset, "yaml")

    @admin.action(description="Export as JSON", permissions=["view"])
    def export_selected_json(
        self: Any, request: HttpRequest, queryset: QuerySet[Bot]
    ) -> HttpResponse:
        return exports.bots_file(queryset, "json")
