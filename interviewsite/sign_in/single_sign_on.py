"""Single sign-on by OpenID Connect, stricter than the library where the standard is.

Beyond what django-allauth checks: the signature against the issuer's keys, the nonce, the issuer
that discovery names, that the user info is about the same person, and that an e-mail address counts
only where the issuer says in so many words that it is verified.
"""

import logging
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import jwt
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from allauth.socialaccount.models import SocialLogin
from allauth.socialaccount.providers.base import AuthProcess
from allauth.socialaccount.providers.oauth2.client import OAuth2Error
from allauth.socialaccount.providers.oauth2.views import (
    OAuth2CallbackView,
    OAuth2LoginView,
    OAuth2View,
)
from allauth.socialaccount.providers.openid_connect.provider import OpenIDConnectProvider
from allauth.socialaccount.providers.openid_connect.views import OpenIDConnectOAuth2Adapter
from django.conf import settings
from django.contrib.auth.models import Group, User
from django.core.cache import cache as shared
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import get_random_string
from requests import RequestException

from interviews.security import client_ip
from interviews.security.ratelimits import limits
from interviewsite.http import rate_limits
from interviewsite.sign_in.accounts import refuse

ID = "oidc"  # of the one issuer
ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "EdDSA")
LEEWAY = 60  # seconds that the issuer's clock may differ
TIMEOUT = 10  # seconds
DISCOVERED = 600  # seconds that the issuer's addresses are remembered
FAILED = "Single sign-on failed. Try again, or ask an administrator."
SEVERAL = "More than one account has your e-mail address. Ask an administrator."
log = logging.getLogger(__name__)


@cache
def keys_at(url: str) -> jwt.PyJWKClient:
    return jwt.PyJWKClient(url, timeout=TIMEOUT)


class IssuerAdapter(OpenIDConnectOAuth2Adapter):
    @property
    def openid_config(self) -> dict[str, Any]:
        name = f"openid-configuration:{settings.OIDC_ISSUER}"
        found: dict[str, Any] | None = shared.get(name)
        if found is None:
            found = super().openid_config
            if found.get("issuer", "").rstrip("/") != settings.OIDC_ISSUER:
                raise OAuth2Error("discovery names another issuer")
            shared.set(name, found, DISCOVERED)
        return found

    def complete_login(
        self, request: HttpRequest, app: Any, token: Any, **kwargs: Any
    ) -> SocialLogin:
        claims = self._verified(kwargs["response"].get("id_token") or "")
        if "userinfo_endpoint" in self.openid_config:
            info = self._fetch_user_info(token.token)
            if info.get("sub") != claims["sub"]:
                raise OAuth2Error("the user info is about somebody else")
            claims = {**info, **claims}
        return self.get_provider().sociallogin_from_response(request, claims)

    def _verified(self, id_token: str) -> dict[str, Any]:
        config = self.openid_config
        try:
            return jwt.decode(
                id_token,
                keys_at(config["jwks_uri"]).get_signing_key_from_jwt(id_token),
                algorithms=ALGORITHMS,
                audience=settings.OIDC_CLIENT_ID,
                issuer=config["issuer"],
                leeway=LEEWAY,
                options={"require": ["iss", "sub", "aud", "exp", "iat", "nonce"]},
            )
        except jwt.PyJWTError as error:
            raise OAuth2Error(f"ID token: {error}") from error


class IssuerProvider(OpenIDConnectProvider):
    oauth2_adapter_class = IssuerAdapter

    def redirect(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        """Sign in, and nothing else that the address asks for: somebody else may have written it.

        It could tie the issuer's account to whoever is signed in here.
        """
        nonce = get_random_string(32)
        own = {"process": AuthProcess.LOGIN, "auth_params": {"nonce": nonce}, "nonce": nonce}
        return super().redirect(request, *args, **{**kwargs, **own})

    def extract_common_fields(self, data: Mapping[str, Any]) -> dict[str, Any]:
        fields: dict[str, Any] = super().extract_common_fields(data)
        return fields | {"email": verified_email(data)}

    def extract_email_addresses(self, _data: Mapping[str, Any]) -> list[Any]:
        return []


def verified_email(claims: Mapping[str, Any]) -> str:
    return str(claims.get("email", "")) if claims.get("email_verified") is True else ""


class SingleSignOnAdapter(DefaultSocialAccountAdapter):
    def pre_social_login(self, request: HttpRequest, sociallogin: SocialLogin) -> None:
        claims = sociallogin.account.extra_data
        if claims["nonce"] != sociallogin.state.get("nonce"):
            raise _failure(request, "the ID token was made for another sign-in")
        sociallogin.email_addresses = []
        if not sociallogin.is_existing:
            self._match(request, sociallogin, verified_email(claims))
        if sociallogin.is_existing:
            give_roles(sociallogin.user, claims)

    def _match(self, request: HttpRequest, sociallogin: SocialLogin, email: str) -> None:
        accounts = User.objects.filter(email__iexact=email) if email else User.objects.none()
        if len(accounts) > 1:
            raise refuse(request, SEVERAL)
        if accounts:
            sociallogin.connect(request, accounts[0])

    def is_open_for_signup(self, request: HttpRequest, sociallogin: SocialLogin) -> bool:
        return True

    def save_user(self, request: HttpRequest, sociallogin: SocialLogin, form: Any = None) -> User:
        user: User = super().save_user(request, sociallogin, form)
        give_roles(user, sociallogin.account.extra_data)
        return user

    def on_authentication_error(
        self, request: HttpRequest, provider: Any, exception: Any = None, **details: Any
    ) -> None:
        raise _failure(request, exception or details.get("error"))


def roles() -> dict[str, str]:
    """Return the groups by the values of the claim that give them."""
    pairs = [part.rpartition("=") for part in settings.OIDC_ROLES.split(";") if part.strip()]
    return {value.strip(): group.strip() for value, _, group in pairs}


def give_roles(user: User, claims: Mapping[str, Any]) -> None:
    """Bring an account's groups in line with the claim; groups it can't name stay as they are."""
    if not (mapped := roles()):
        return
    named = claims.get(settings.OIDC_ROLES_CLAIM)
    values = named if isinstance(named, list) else [named]
    wanted = {mapped[value] for value in values if isinstance(value, str) and value in mapped}
    groups = {group.name: group for group in Group.objects.filter(name__in=mapped.values())}
    for name in wanted - groups.keys():
        log.warning("OIDC_ROLES names the group %r, which the admin doesn't have", name)
    given = [group for name, group in groups.items() if name in wanted]
    user.groups.remove(*(group for group in groups.values() if group not in given))
    user.groups.add(*given)
    user.is_staff = bool(given or user.is_superuser or user.get_all_permissions())
    user.save(update_fields=["is_staff"])


def _failure(request: HttpRequest, reason: object) -> ImmediateHttpResponse:
    log.warning("single sign-on failed: %s", reason)
    limits.take(limits.LOGINS, client_ip.of_request(request))
    return refuse(request, FAILED)


def _step(view: type[OAuth2View]) -> Callable[..., HttpResponse]:
    def take(request: HttpRequest, provider_id: str) -> Any:
        if seconds := limits.wait(limits.LOGINS, client_ip.of_request(request)):
            return rate_limits.refuse(request, seconds)
        try:
            return view.adapter_view(IssuerAdapter(request, provider_id))(request)
        except (RequestException, OAuth2Error) as error:
            return _failure(request, error).response

    return take


login, callback = _step(OAuth2LoginView), _step(OAuth2CallbackView)
