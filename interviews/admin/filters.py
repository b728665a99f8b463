"""Filters of the list of interviews: by rating, and those behind an overview's figures."""

import re
from abc import ABC, abstractmethod
from datetime import UTC, datetime, timedelta
from typing import Any, ClassVar

from django.contrib.admin import SimpleListFilter
from django.db.models import DurationField, ExpressionWrapper, F, Q, QuerySet, Value
from django.http import HttpRequest
from django.utils import timezone
from unfold.contrib.filters.admin.choice_filters import RadioFilter

from interviews.choices import ACTIVE, SessionStatus
from interviews.models import Session
from interviews.models.overview import QUIET_AFTER, SETTLED_AFTER, last_heard_before

LOW = 2
RATED = {
    "low": Q(rating__heard__lte=LOW) | Q(rating__ease__lte=LOW),
    "any": Q(rating__isnull=False),
    "none": Q(rating__isnull=True),
}
STAGES = {
    "running": "Running now",
    "away": "Quiet for an hour",
    "dropped": "Quiet for a day",
    "left": "Left early or quiet for a day",
}


class RatedFilter(RadioFilter):
    title = "rating"
    parameter_name = "rated"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("low", f"Rated {LOW} or less"), ("any", "Answered"), ("none", "Not answered")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Session]) -> QuerySet[Session]:
        return queryset.filter(RATED.get(self.value(), Q()))


class StageFilter(RadioFilter):
    title = "stage"
    parameter_name = "stage"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return list(STAGES.items())

    def queryset(self, request: HttpRequest, queryset: QuerySet[Session]) -> QuerySet[Session]:
        return at_stage(queryset, self.value() or "")


class OverviewLinkFilter(SimpleListFilter, ABC):
    """A filter that an overview's links set, and nobody chooses by hand."""

    parameter_name: str
    form: ClassVar[re.Pattern[str]]
    label: ClassVar[str]

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        chosen = request.GET.get(self.parameter_name, "")
        return [(chosen, f"{self.label} {chosen}")] if self.form.fullmatch(chosen) else []

    def queryset(self, request: HttpRequest, queryset: QuerySet[Session]) -> QuerySet[Session]:
        found = self.form.fullmatch(self.value() or "")
        return self.chosen(queryset, *found.groups()) if found else queryset

    @abstractmethod
    def chosen(self, sessions: QuerySet[Session], *groups: str) -> QuerySet[Session]: ...


class LeftAtFilter(OverviewLinkFilter):
    title = "left at"
    parameter_name = "left_at"
    form, label = re.compile(r"(\d{1,9})"), "Step"

    def chosen(self, sessions: QuerySet[Session], *groups: str) -> QuerySet[Session]:
        step, left = int(groups[0]), at_stage(sessions, "left")
        first = Q(progress__current__lte=1) | Q(progress={})
        return left.filter(first if step == 1 else Q(progress__current=step))


class CompletedOnFilter(OverviewLinkFilter):
    title = "completed on (UTC)"
    parameter_name = "completed_on"
    form, label = re.compile(r"(2\d{3})-(0[1-9]|1[012])-([012]\d|3[01])"), "Day"

    def chosen(self, sessions: QuerySet[Session], *groups: str) -> QuerySet[Session]:
        try:
            start = datetime.strptime("-".join(groups), "%Y-%m-%d").replace(tzinfo=UTC)
        except ValueError:  # the 30th of February
            return sessions.none()
        day = sessions.filter(ended_at__gte=start, ended_at__lt=start + timedelta(days=1))
        return day.filter(status=SessionStatus.COMPLETED)


class MinutesFilter(OverviewLinkFilter):
    """Completed interviews by their minutes without pauses, to ten seconds as the plot has them."""

    title = "length"
    parameter_name = "minutes"
    form, label = re.compile(r"(\d{1,4})-(\d{0,4})"), "Minutes"

    def chosen(self, sessions: QuerySet[Session], *groups: str) -> QuerySet[Session]:
        least, end = groups
        second = Value(timedelta(seconds=1), DurationField())
        away = ExpressionWrapper(F("away_total") * second, DurationField())
        lasted = ExpressionWrapper(F("ended_at") - F("started_at") - away, DurationField())
        timed = sessions.filter(status=SessionStatus.COMPLETED).annotate(lasted=lasted)
        if int(least):
            timed = timed.filter(lasted__gte=timedelta(minutes=int(least), seconds=-5))
        return timed.filter(lasted__lt=timedelta(minutes=int(end), seconds=-5)) if end else timed


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
