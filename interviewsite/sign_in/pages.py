"""The library's pages in the admin's look, each shown to whom it is for."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.conf import settings
from django.contrib import admin
from django.contrib.auth import logout
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from unfold.widgets import INPUT_CLASSES

View = Callable[..., HttpResponse]
SET_UP = ("mfa_activate_totp", "mfa_add_webauthn")
NO_RIGHTS = "No access yet"
SECURE_HOST = "localhost"  # where browsers have passkeys without https


def page(view: View, title: str) -> View:
    @wraps(view)
    def show(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        response = elsewhere(request) or view(request, *args, **kwargs)
        if isinstance(response, TemplateResponse):
            context = {**_context(request), "title": title, **(response.context_data or {})}
            response.context_data = context
            for form in context.values():
                if isinstance(form, Form):
                    _style(form)
        return response

    return show


def elsewhere(request: HttpRequest) -> HttpResponse | None:
    """Return what somebody who has signed in gets in place of the page, if anything."""
    if not request.user.is_authenticated:
        return None
    if not request.user.is_staff:
        return TemplateResponse(request, "account/no_rights.html", {"title": NO_RIGHTS}, status=403)
    return _ask_for_second_factor(request) if settings.MFA else None


def _ask_for_second_factor(request: HttpRequest) -> HttpResponse | None:
    from allauth.mfa.utils import is_mfa_enabled

    from interviewsite.sign_in import second_factor

    if not second_factor.is_lacking(request, request.user):
        return None
    if is_mfa_enabled(request.user) or second_factor.has_shown(request, request.user):
        logout(request)  # signed in before there was one, or since it was reset: begin anew
        return redirect("account_login")
    assert request.resolver_match  # noqa: S101  this is a view
    allowed = request.resolver_match.url_name in SET_UP
    return None if allowed else redirect("mfa_activate_totp")


def _context(request: HttpRequest) -> dict[str, Any]:
    return {
        **admin.site.each_context(request),
        "password_login": settings.PASSWORD_LOGIN,
        "single_sign_on": settings.OIDC_ISSUER and settings.OIDC_NAME,
        "has_passkeys": request.is_secure() or request.get_host().partition(":")[0] == SECURE_HOST,
    }


def _style(form: Form) -> None:
    for field in form.fields.values():
        field.widget.attrs.pop("placeholder", None)
        field.widget.attrs["class"] = " ".join(INPUT_CLASSES)
