from typing import Any

from django.db.models import Q, QuerySet
from django.http import HttpRequest
from unfold.contrib.filters.admin.choice_filters import RadioFilter

from interviews.measures.ratings import MARKS, rating_of
from interviews.models import Session

LOW = 2
CHOSEN = {
    "low": Q(rating__heard__lte=LOW) | Q(rating__ease__lte=LOW),
    "any": Q(rating__isnull=False),
    "none": Q(rating__isnull=True),
}


class RatedFilter(RadioFilter):
    title = "how it was"
    parameter_name = "rated"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("low", f"A {LOW} or less"), ("any", "Answered"), ("none", "Not answered")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Session]) -> QuerySet[Session]:
        chosen = CHOSEN.get(self.value())
        return queryset if chosen is None else queryset.filter(chosen)


def rating_told(session: Session) -> str:
    """Return a text such as “felt listened to: 4 of 5”; empty if nothing was answered."""
    rated, most = rating_of(session), MARKS[-1]
    if rated is None:
        return ""
    told = {"felt listened to": rated.heard, "could say what mattered": rated.ease}
    return ", ".join(f"{what}: {mark} of {most}" for what, mark in told.items() if mark)
