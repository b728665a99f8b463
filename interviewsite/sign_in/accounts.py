from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.core.exceptions import ImmediateHttpResponse
from django.apps import apps
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from interviews.security import client_ip
from plans.bots.teams import TeamBackend


class NoPasswords(TeamBackend):
    """Rights as usual; no password opens anything."""

    def authenticate(self, *_args: Any, **_credentials: Any) -> None:
        return None


class AccountAdapter(DefaultAccountAdapter):
    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Leave them to LIMIT_LOGINS and LIMIT_PASSWORDS, which lock no known browser out."""

    def get_client_ip(self, request: HttpRequest) -> str:
        return client_ip.of_request(request)

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return False

    def is_reauthentication_required(self, *, app: str, **kwargs: Any) -> bool:
        """Whoever has a second factor shows it again before changing it."""
        if not apps.is_installed("allauth.mfa"):
            return False
        from allauth.mfa.utils import is_mfa_enabled

        return bool(is_mfa_enabled(self.request.user))

    def get_reauthentication_methods(self, user: Any) -> list[dict[str, Any]]:
        methods = super().get_reauthentication_methods(user)
        return [method for method in methods if method["id"] != "reauthenticate"]

    def respond_user_inactive(self, request: HttpRequest, user: Any) -> HttpResponse:
        return back_to_login(request, "This account is switched off. Ask an administrator.")


def back_to_login(request: HttpRequest, message: str) -> HttpResponse:
    messages.error(request, message)
    return redirect("account_login")


def refuse(request: HttpRequest, message: str) -> ImmediateHttpResponse:
    return ImmediateHttpResponse(back_to_login(request, message))
