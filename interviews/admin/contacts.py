"""Names and addresses are only for users who may see contacts, and can't be guessed by filters."""

from typing import Any

from django.db.models.constants import LOOKUP_SEP
from django.http import HttpRequest

from plans.admin.base import StudyAdmin

CONTACTS = "interviews.view_contacts"
CONTACT_FIELDS = frozenset({"name", "email", "to"})


def sees_contacts(request: HttpRequest) -> bool:
    return bool(request.user.has_perm(CONTACTS))


class ContactsAdmin(StudyAdmin):
    def lookup_allowed(self, lookup: str, value: Any, request: HttpRequest | None = None) -> bool:
        """Refuse lookups by contacts: letter by letter, they would reveal what is in them."""
        by_contacts = not CONTACT_FIELDS.isdisjoint(lookup.split(LOOKUP_SEP))
        if by_contacts and (request is None or not sees_contacts(request)):
            return False
        return bool(super().lookup_allowed(lookup, value, request))
