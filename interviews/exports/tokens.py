"""Tokens by which programs export: shown once, stored as hashes."""

import secrets
from datetime import timedelta

from django.contrib.auth.models import User
from django.utils import timezone

from interviews.models import AccessRecord, ExportToken
from interviews.security.access import digest
from interviews.security.ratelimits import limits
from interviews.validation import RequestRefused

PREFIX = "export_"  # so that a token that leaked can be recognised
RIGHTS = ("interviews.export_session", "interviews.add_exporttoken")
USED_EVERY = timedelta(minutes=1)


def new_token(user: User, name: str) -> tuple[str, ExportToken]:
    secret = PREFIX + secrets.token_urlsafe(32)
    token = ExportToken.objects.create(user=user, name=name, digest=digest(secret))
    AccessRecord.add(user, f"Made the export token “{name}”.")
    return secret, token


def revoke(token: ExportToken, by: User) -> None:
    AccessRecord.add(by, f"Revoked the export token “{token.name}” of {token.user}."[:200])
    token.delete()


def user_of_token(secret: str) -> User:
    """Return whose token it is. Raises RequestRefused: unauthorized, forbidden, too_many."""
    tokens = ExportToken.objects.select_related("user").filter(digest=digest(secret))
    token = tokens.first() if secret else None
    if token is None or not token.user.is_active:
        message = "Send a valid export token: “Authorization: Bearer …”."
        raise RequestRefused("unauthorized", message)
    if seconds := limits.take(limits.EXPORTS, token.pk):
        raise limits.too_many(seconds)
    if not token.user.has_perms(RIGHTS):
        raise RequestRefused("forbidden", "The token’s user may no longer export by tokens.")
    now = timezone.now()
    if token.used_at is None or token.used_at < now - USED_EVERY:
        tokens.update(used_at=now)
    return token.user
