"""Bots and their topics as files, out and in."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from unfold.decorators import action

from plans.admin import exporting, importing
from plans.models import Bot


class FileActions:
    """Actions of BotAdmin about files."""

    @action(description="Import", icon="upload", permissions=["add"], url_path="import")
    def import_new(self: Any, request: HttpRequest) -> HttpResponse:
        """A file that becomes a bot."""
        return importing.import_page(self, request, importing.BOT)

    @action(
        description="Import into this one", icon="upload", permissions=["change"], url_path="import"
    )
    def import_into(self: Any, request: HttpRequest, object_id: str) -> HttpResponse:
        """A file that this bot becomes equal to."""
        return importing.import_page(self, request, importing.BOT, self.row(request, object_id))

    @action(description="Export as YAML", icon="download", permissions=["view"])
    def export_yaml(self: Any, request: HttpRequest, object_id: str) -> HttpResponse:
        """The bot with its scripts or topics as a YAML file."""
        return exporting.bot_file(self.row(request, object_id), "yaml")

    @action(description="Export as JSON", icon="download", permissions=["view"])
    def export_json(self: Any, request: HttpRequest, object_id: str) -> HttpResponse:
        """The bot with its scripts or topics as a JSON file."""
        return exporting.bot_file(self.row(request, object_id), "json")

    @action(description="Export topics as CSV", icon="download", permissions=["view"])
    def export_topics(self: Any, request: HttpRequest, object_id: str) -> HttpResponse:
        """The bot's topics and sub-goals as a CSV file."""
        return exporting.topics_file(self.topical(request, object_id))

    @action(description="Import topics from CSV", icon="upload", permissions=["change"])
    def import_topics(self: Any, request: HttpRequest, object_id: str) -> HttpResponse:
        """A CSV file that the bot's topics become equal to."""
        return importing.import_page(
            self, request, importing.TOPICS, self.topical(request, object_id)
        )

    @admin.action(description="Export as YAML", permissions=["view"])
    def export_selected_yaml(
        self: Any, request: HttpRequest, queryset: QuerySet[Bot]
    ) -> HttpResponse:
        """The chosen bots as YAML."""
        return exporting.bots_file(queryset, "yaml")

    @admin.action(description="Export as JSON", permissions=["view"])
    def export_selected_json(
        self: Any, request: HttpRequest, queryset: QuerySet[Bot]
    ) -> HttpResponse:
        """The chosen bots as JSON."""
        return exporting.bots_file(queryset, "json")
