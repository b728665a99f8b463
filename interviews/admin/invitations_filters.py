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
        return (
            queryset.filter(Q(state=self.value()))
            if self.value() in InvitationState.values
            else queryset
        )


def found_by(words: str, with_contacts: bool) -> Q:
    """Match the reference or the id; also name and address for users who may see contacts."""
    found = containing("reference", words) | Q(pk__in=_ids(words))
    if with_contacts:
        found |= containing("name", words) | containing("email", words)
    return found


def _ids(words: str) -> QuerySet[Invitation]:
    """Match the beginning of the id, as lists show it."""
    plain = words.lower().replace("invitation", "").strip()
    return Invitation.objects.filter(id__istartswith=plain) if len(plain) >= 8 else _none()


def _none() -> QuerySet[Invitation]:
    return Invitation.objects.none()
