"""Who has shown a second factor in this session.

To every view but those that ask for it or set it up, anybody else is nobody: the admin, the API and
whatever is added later.
"""

import logging
from typing import Any

from allauth.account.internal.flows.login import get_authentication_records, record_authentication
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from allauth.mfa.signals import authenticator_added
from allauth.mfa.utils import is_mfa_enabled
from asgiref.sync import sync_to_async
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest
from django.urls import reverse
from django.utils.deprecation import MiddlewareMixin
from django.utils.functional import SimpleLazyObject

from interviews.security import key_rotation, sealing

METHOD = "mfa"
log = logging.getLogger(__name__)


class SecondFactorMiddleware(MiddlewareMixin):
    def process_request(self, request: HttpRequest) -> None:
        index = reverse("admin:index")
        if request.path.startswith((f"{index}login/", f"{index}sign-in/")):
            return
        account = request.user  # lazy: nothing is read for pages that don't ask who it is
        request.user = SimpleLazyObject(  # type: ignore[assignment]
            lambda: AnonymousUser() if is_lacking(request, account) else account
        )
        request.auser = sync_to_async(lambda: request.user)


def is_lacking(request: HttpRequest, account: Any) -> bool:
    """Return whether somebody has signed in, but has not shown the second factor."""
    if not account.is_authenticated:
        return False
    return not (has_shown(request, account) and is_mfa_enabled(account))


def has_shown(request: HttpRequest, account: Any) -> bool:
    records = get_authentication_records(request, account)
    return any(record.get("method") == METHOD for record in records)


def record_set_up(
    request: HttpRequest, user: Any, authenticator: Authenticator, **_kwargs: Any
) -> None:
    """Setting one up has shown it."""
    details = {"id": authenticator.pk, "type": authenticator.type}
    record_authentication(request, user, METHOD, reauthenticated=True, **details)


def connect() -> None:
    authenticator_added.connect(record_set_up, dispatch_uid="interviewsite.second_factor")
    key_rotation.SEALED[Authenticator, "data"] = ("secret", "seed")


class SecondFactorAdapter(DefaultMFAAdapter):
    error_messages = DefaultMFAAdapter.error_messages | {
        "incorrect_code": "That code isn't right. Wait for the next one and try again."
    }

    def generate_authenticator_name(self, user: Any, type: str) -> str:
        count = Authenticator.objects.filter(user=user, type=type).count()
        return f"Passkey {count + 1}"

    def encrypt(self, text: str) -> str:
        return sealing.seal(text)

    def decrypt(self, encrypted_text: str) -> str:
        try:
            return sealing.unseal(encrypted_text)
        except sealing.SealingError:
            log.error("a second factor can't be read with any key of DATA_KEYS")
            raise self.validation_error("incorrect_code") from None
