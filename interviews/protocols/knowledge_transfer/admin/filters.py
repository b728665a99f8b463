from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.http import HttpRequest
from unfold.contrib.filters.admin import DropdownFilter
from unfold.contrib.filters.admin.choice_filters import RadioFilter

from interviews.admin.querysets import annotate_sessions, who
from interviews.models import Fact, Session


class ConfidenceFilter(RadioFilter):
    title = "confidence"
    parameter_name = "confidence"
    RANGES = {"high": (0.75, 1.1), "medium": (0.45, 0.75), "low": (0.0, 0.45)}

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("high", "High (0.9)"), ("medium", "Medium (0.6)"), ("low", "Low (0.3)")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Fact]) -> QuerySet[Fact]:
        if self.value() not in self.RANGES:
            return queryset
        least, below = self.RANGES[self.value()]
        return queryset.filter(confidence__gte=least, confidence__lt=below)


class EditedFilter(RadioFilter):
    title = "words"
    parameter_name = "edited"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("yes", "Edited"), ("no", "As extracted")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Fact]) -> QuerySet[Fact]:
        if self.value() not in ("yes", "no"):
            return queryset
        return queryset.filter(edited_at__isnull=self.value() == "no")


class MergedFilter(RadioFilter):
    title = "merging"
    parameter_name = "merged"
    all_option = ["", "Not merged into others"]

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("yes", "Merged into others"), ("all", "All")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Fact]) -> QuerySet[Fact]:
        if self.value() == "all":
            return queryset
        return queryset.filter(merged_into__isnull=self.value() != "yes")


class InterviewFilter(DropdownFilter):
    """Linked from an interview's page, since there are too many interviews to list."""

    title = "interview"
    parameter_name = "interview"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        session = _requested_session(request)
        return [(str(session.pk), who(session))] if session else []

    def queryset(self, request: HttpRequest, queryset: QuerySet[Fact]) -> QuerySet[Fact]:
        known = self.value() in dict(self.lookup_choices)
        return queryset.filter(session=self.value()) if known else queryset


def _requested_session(request: HttpRequest) -> Session | None:
    try:
        key = UUID(request.GET.get("interview", ""))
    except ValueError:
        return None
    sees_names = request.user.has_perm("interviews.view_participant")
    return annotate_sessions(Session.objects.filter(pk=key), sees_names).first()
