"""Wrong passwords of an account, wherever they come from.

A browser in which somebody has signed in to the account holds a signed cookie and is counted by
itself, so that guessing elsewhere keeps nobody out who works here.
"""

import logging
import secrets
from contextlib import suppress
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import get_user_model
from django.contrib.auth.signals import user_logged_in, user_login_failed
from django.core.cache import cache
from django.dispatch import receiver
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.utils.crypto import salted_hmac

from interviews.security.ratelimits import limits

COOKIE = f"{settings.COOKIE_PREFIX}known"
KNOWN_FOR = timedelta(days=180)
NAMES = ("username", "login")  # fields of the forms
GUESSED = "guessed-"  # in the cache, with an account: when many wrong passwords were tried last
log = logging.getLogger(__name__)


def take(request: HttpRequest) -> int:
    """Count a password sent for an account; return 0 if allowed, else the seconds to wait."""
    key = _key(request)
    return limits.take(limits.PASSWORDS, key) if key else 0


def signed_in(request: HttpRequest, response: HttpResponseBase) -> None:
    """Forget the wrong ones, and know this browser from now on."""
    if not (key := _key(request)):
        return
    limits.forget(limits.PASSWORDS, key)
    known = key if ":" in key else f"{key}:{secrets.token_urlsafe(12)}"
    response.set_signed_cookie(
        COOKIE, known, max_age=KNOWN_FOR, secure=settings.HTTPS, httponly=True, samesite="Lax"
    )


def _key(request: HttpRequest) -> str:
    """Return what is counted: the account, or the account in a browser that it knows."""
    name = next(filter(None, map(request.POST.get, NAMES)), "")
    if not name:
        return ""
    account = salted_hmac(COOKIE, name.strip().casefold(), algorithm="sha256").hexdigest()
    known = request.get_signed_cookie(COOKIE, "", max_age=KNOWN_FOR) or ""
    return known if known.startswith(f"{account}:") else account


@receiver(user_login_failed)
def warn(request: HttpRequest | None = None, **_: Any) -> None:
    """Say so in the log when no more passwords of an account are taken for now."""
    if request is None or not (key := _key(request)):
        return
    if seconds := limits.wait(limits.PASSWORDS, key):
        names = [request.POST.get(name) for name in NAMES]
        for user in get_user_model().objects.filter(username__in=filter(None, names)):
            text = "many wrong passwords for account %s: no more are taken for %d s"
            log.warning(text, user.pk, seconds)
            if ":" not in key:  # in a browser that the account knows, somebody mistypes
                with suppress(Exception):  # whatever the cache's client raises
                    cache.set(f"{GUESSED}{user.pk}", timezone.now(), KNOWN_FOR.total_seconds())


@receiver(user_logged_in)
def tell(request: HttpRequest, user: Any, **_: Any) -> None:
    """Tell the account's owner of wrong passwords that were tried elsewhere, once."""
    at = None
    with suppress(Exception):  # whatever the cache's client raises
        at = cache.get(f"{GUESSED}{user.pk}")
        cache.delete(f"{GUESSED}{user.pk}")
    if at:
        messages.warning(
            request,
            "Many wrong passwords were tried for your account, most recently on "
            f"{at:%-d %B %Y at %H:%M} UTC. If it wasn’t you, choose a long password that you use "
            "nowhere else.",
            fail_silently=True,
        )
