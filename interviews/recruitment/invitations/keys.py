"""The secrets of invitation links: 128 bits each, stored only as hashes.

Every letter, list and QR code gets its own secret; earlier ones keep working.
"""

import secrets
from collections.abc import Iterable

from django.urls import reverse

from interviews.models import Invitation, InvitationKey
from interviews.security.access import SECRET_BYTES, digest
from interviews.security.links import url_of

BATCH = 500


def new_path(invitation: Invitation) -> str:
    return new_paths([invitation])[0]


def new_paths(invitations: Iterable[Invitation]) -> list[str]:
    pairs = [(one, secrets.token_urlsafe(SECRET_BYTES)) for one in invitations]
    rows = [InvitationKey(invitation=one, digest=digest(secret)) for one, secret in pairs]
    InvitationKey.objects.bulk_create(rows, batch_size=BATCH)
    return [url_of(reverse("interviews:join", args=[one.pk]), secret) for one, secret in pairs]
