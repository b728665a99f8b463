"""Names and addresses are for who may see contacts: they aren't found out by filters either."""

from typing import Any

from django.db.models.constants import LOOKUP_SEP
from django.http import HttpRequest

from plans.admin.base import StudyAdmin

CONTACTS = "interviews.view_contacts"
KEPT_CLOSE = frozenset({"name", "email", "to"})


def sees_contacts(request: HttpRequest) -> bool:
    """Whether names and addresses are shown to whoever asks."""
    return bool(request.user.has_perm(CONTACTS))


class ContactsAdmin(StudyAdmin):
    """Rows with contacts in them."""

    def lookup_allowed(self, lookup: str, value: Any, request: HttpRequest | None = None) -> bool:
        """By contacts only for who may see them: letter by letter, a list tells what is in it."""
        by_contacts = not KEPT_CLOSE.isdisjoint(lookup.split(LOOKUP_SEP))
        if by_contacts and (request is None or not sees_contacts(request)):
            return False
        return bool(super().lookup_allowed(lookup, value, request))
