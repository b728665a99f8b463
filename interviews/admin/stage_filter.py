"""The interviews behind an overview's figures: by stage, and by where people left."""

from typing import Any

from django.contrib.admin import SimpleListFilter
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils import timezone
from unfold.contrib.filters.admin.choice_filters import RadioFilter

from interviews.choices import ACTIVE, SessionStatus
from interviews.measures.quiet import QUIET_AFTER, last_heard_before
from interviews.models import Session
from interviews.models.overview import SETTLED_AFTER

STAGES = {
    "running": "Running now",
    "away": "Quiet for an hour",
    "dropped": "Quiet for a day",
    "left": "Left early or quiet for a day",
}


class StageFilter(RadioFilter):
    title = "stage"
    parameter_name = "stage"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return list(STAGES.items())

    def queryset(self, request: HttpRequest, queryset: QuerySet[Session]) -> QuerySet[Session]:
        return at_stage(queryset, self.value() or "")


class LeftAtFilter(SimpleListFilter):
    """Interviews that were left at one question or topic; offered by an overview's links only."""

    title = "left at"
    parameter_name = "left_at"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        chosen = request.GET.get(self.parameter_name, "")
        return [(chosen, f"Step {chosen}")] if chosen.isdecimal() else []

    def queryset(self, request: HttpRequest, queryset: QuerySet[Session]) -> QuerySet[Session]:
        chosen = self.value() or ""
        if not chosen.isdecimal():
            return queryset
        return at_stage(queryset, "left").filter(progress__current=int(chosen))


def at_stage(sessions: QuerySet[Session], stage: str) -> QuerySet[Session]:
    if stage not in STAGES:
        return sessions
    now = timezone.now()
    dropped = Q(pk__in=last_heard_before(now - SETTLED_AFTER).values("pk"))
    quiet = Q(pk__in=last_heard_before(now - QUIET_AFTER).values("pk"))
    conditions = {
        "running": Q(status__in=ACTIVE) & ~quiet,
        "away": quiet & ~dropped,
        "dropped": dropped,
        "left": dropped | Q(status=SessionStatus.STOPPED),
    }
    return sessions.filter(conditions[stage])
