from typing import Any

from django.db.models import Q, QuerySet
from django.http import HttpRequest
from unfold.contrib.filters.admin import DropdownFilter

from interviews.admin.querysets import containing
from interviews.models import Invitation
from interviews.recruitment.invitations.states import InvitationState


class StateFilter(DropdownFilter):
    title = "state"
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(str(state.value), str(state.label)) for state in InvitationState]

    def queryset(
        self, request: HttpRequest, queryset: QuerySet[Invitation]
    ) -> QuerySet[Invitation]:
        state = self.value()
        return queryset.filter(Q(state=state)) if state in InvitationState.values else queryset


def search_filter(words: str, with_contacts: bool) -> Q:
    """Match the reference or the id; also name and address for users who may see contacts."""
    matches = containing("reference", words) | _match_id(words)
    if with_contacts:
        matches |= containing("name", words) | containing("email", words)
    return matches


def _match_id(words: str) -> Q:
    digits = words.lower().replace("invitation", "").strip()
    return Q(id__istartswith=digits) if len(digits) >= 8 else Q(pk__in=())
