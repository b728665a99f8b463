"""The library's settings, from the site's own."""

from typing import Any

from django.urls import reverse_lazy

HERE = "interviewsite.sign_in"


def install(site: dict[str, Any]) -> None:
    """Add to the site's settings what MFA, OIDC_ISSUER and PASSWORD_LOGIN ask for."""
    if site["MFA"] or site["OIDC_ISSUER"]:
        site |= _both(site)
    if site["MFA"]:
        site |= _second_factor(site)
    if site["OIDC_ISSUER"]:
        site |= _single_sign_on(site)
    if not site["PASSWORD_LOGIN"]:
        site["AUTHENTICATION_BACKENDS"] = [f"{HERE}.accounts.NoPasswords"]


def _both(site: dict[str, Any]) -> dict[str, Any]:
    site["INSTALLED_APPS"] += ["allauth", "allauth.account", HERE]
    site["MIDDLEWARE"] += ["allauth.account.middleware.AccountMiddleware"]
    return {
        "ROOT_URLCONF": f"{HERE}.urls",
        "ACCOUNT_ADAPTER": f"{HERE}.accounts.AccountAdapter",
        "ACCOUNT_EMAIL_VERIFICATION": "none",
        "ACCOUNT_SESSION_REMEMBER": True,
        "ACCOUNT_LOGOUT_REDIRECT_URL": site["LOGIN_URL"],
        # LIMIT_LOGINS counts by address; this counts wrong codes by account, from anywhere
        "ACCOUNT_RATE_LIMITS": {"login": "", "login_failed": "5/5m/key"},
    }


def _second_factor(site: dict[str, Any]) -> dict[str, Any]:
    site["INSTALLED_APPS"].insert(-1, "allauth.mfa")
    site["MIDDLEWARE"] += [f"{HERE}.second_factor.SecondFactorMiddleware"]
    site["UNFOLD"]["ACCOUNT"] = {
        "navigation": [
            {"title": "Change password", "link": reverse_lazy("admin:password_change")},
            {"title": "Second factor", "link": reverse_lazy("mfa_index")},
        ]
    }
    return {
        "MFA_ADAPTER": f"{HERE}.second_factor.SecondFactorAdapter",
        "MFA_SUPPORTED_TYPES": ["totp", "webauthn", "recovery_codes"],
        "MFA_TOTP_ISSUER": "Interviewsite",
        "MFA_ALLOW_UNVERIFIED_EMAIL": True,  # addresses are entered by administrators
    }


def _single_sign_on(site: dict[str, Any]) -> dict[str, Any]:
    site["INSTALLED_APPS"][-1:-1] = [
        "allauth.socialaccount",
        "allauth.socialaccount.providers.openid_connect",
    ]
    issuer = {
        "provider_id": "oidc",
        "name": site["OIDC_NAME"],
        "client_id": site["OIDC_CLIENT_ID"],
        "secret": site["OIDC_CLIENT_SECRET"],
        "settings": {"server_url": site["OIDC_ISSUER"], "oauth_pkce_enabled": True},
    }
    provider = {"provider_class": f"{HERE}.single_sign_on.IssuerProvider", "APPS": [issuer]}
    return {
        "SOCIALACCOUNT_ADAPTER": f"{HERE}.single_sign_on.SingleSignOnAdapter",
        "SOCIALACCOUNT_LOGIN_ON_GET": True,  # a link: the policy keeps forms from leading elsewhere
        "SOCIALACCOUNT_PROVIDERS": {"openid_connect": provider},
    }
