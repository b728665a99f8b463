from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from unfold.decorators import display

from plans.admin.base import StudyAdmin
from plans.models import Team


@admin.register(Team)
class TeamAdmin(StudyAdmin):
    list_display = ["name", "members_shown", "bots_shown"]
    search_fields = ["name"]
    search_help_text = "Searches names"
    autocomplete_fields = ["members", "bots", "experiments", "scripts", "concepts", "methodologies"]
    fieldsets = [
        (None, {"fields": ["name", "members", "bots", "experiments"]}),
        ("Not used by these bots yet", {"fields": ["scripts", "concepts", "methodologies"]}),
    ]
    how_to_begin = (
        "Without teams, everybody sees every study that their role allows. Members of a team see "
        "its studies only, and nothing without a team; what they create is the team’s."
    )

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).prefetch_related("members", "bots")

    @display(description="Members")
    def members_shown(self, team: Team) -> str:
        return ", ".join(member.get_username() for member in team.members.all())

    @display(description="Bots")
    def bots_shown(self, team: Team) -> str:
        return ", ".join(map(str, team.bots.all()))
