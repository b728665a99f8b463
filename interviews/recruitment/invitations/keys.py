"""The secrets of invitations' links: 128 bits each, of which only the hash is stored.

Every letter, list and code has a secret of its own; those that were given out before go on working.
"""

import secrets
from collections.abc import Iterable
from uuid import UUID

from django.urls import reverse

from interviews.models import Invitation, InvitationKey
from interviews.security.access import SECRET_BYTES, digest
from interviews.security.links import url_of

BATCH = 500


def new_path(invitation: Invitation) -> str:
    """A new link without the site's address. It is known only to who gets it from here."""
    return next(iter(new_paths([invitation])))


def new_paths(invitations: Iterable[Invitation]) -> list[str]:
    """A new link for each, in their order."""
    made = [(one, secrets.token_urlsafe(SECRET_BYTES)) for one in invitations]
    rows = [InvitationKey(invitation=one, digest=digest(secret)) for one, secret in made]
    InvitationKey.objects.bulk_create(rows, batch_size=BATCH)
    return [url_of(reverse("interviews:join", args=[one.pk]), secret) for one, secret in made]


def opened(invitation: UUID, secret: str) -> Invitation | None:
    """The invitation that the secret opens, whatever its state. One query, whatever was given."""
    found = Invitation.objects.select_related("bot", "participant")
    return found.filter(pk=invitation, keys__digest=digest(secret)).first()
