from typing import Any

from django.db.models import Q, QuerySet
from django.http import HttpRequest
from unfold.contrib.filters.admin.choice_filters import RadioFilter

from interviews.measures.ratings import MARKS, rating_of
from interviews.models import Session

LOW = 2
FILTERS = {
    "low": Q(rating__heard__lte=LOW) | Q(rating__ease__lte=LOW),
    "any": Q(rating__isnull=False),
    "none": Q(rating__isnull=True),
}


class RatedFilter(RadioFilter):
    title = "rating"
    parameter_name = "rated"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("low", f"Rated {LOW} or less"), ("any", "Answered"), ("none", "Not answered")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Session]) -> QuerySet[Session]:
        return queryset.filter(FILTERS.get(self.value(), Q()))


def rating_text(session: Session) -> str:
    rating, highest = rating_of(session), MARKS[-1]
    if rating is None:
        return ""
    marks = {"felt listened to": rating.heard, "could say what mattered": rating.ease}
    return ", ".join(f"{what}: {mark} of {highest}" for what, mark in marks.items() if mark)
