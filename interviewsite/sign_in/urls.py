"""The site's addresses, with those of signing in before the admin's own.

Of the library's pages only these: nobody signs up, changes an e-mail address or resets a password.
"""

from allauth.account import views as account
from django.apps import apps
from django.urls import URLPattern, path
from django.views.decorators.http import require_POST

from interviewsite.sign_in.pages import page
from interviewsite.urls import handler500 as handler500
from interviewsite.urls import urlpatterns as of_the_site

SIGN_IN, AGAIN = "Sign in", "Check that it's you"
signing_in: list[URLPattern] = [
    path("admin/login/", page(account.login, SIGN_IN), name="account_login"),
    path("admin/sign-in/out/", require_POST(account.logout), name="account_logout"),
    path(
        "admin/sign-in/again/", page(account.reauthenticate, AGAIN), name="account_reauthenticate"
    ),
]
if apps.is_installed("allauth.mfa"):
    from allauth.mfa.base import views as base
    from allauth.mfa.recovery_codes import views as codes
    from allauth.mfa.totp import views as totp
    from allauth.mfa.webauthn import views as webauthn

    pages = (
        ("", base.index, "mfa_index", "Your second factor"),
        ("authenticate/", base.authenticate, "mfa_authenticate", SIGN_IN),
        ("again/", base.reauthenticate, "mfa_reauthenticate", AGAIN),
        ("app/", totp.activate_totp, "mfa_activate_totp", "Set up a second factor"),
        ("app/remove/", totp.deactivate_totp, "mfa_deactivate_totp", "Remove authenticator app"),
        ("codes/", codes.view_recovery_codes, "mfa_view_recovery_codes", "Recovery codes"),
        ("codes/new/", codes.generate_recovery_codes, "mfa_generate_recovery_codes", "New codes"),
        ("codes/download/", codes.download_recovery_codes, "mfa_download_recovery_codes", ""),
        ("passkeys/", base.index, "mfa_list_webauthn", "Your second factor"),
        ("passkeys/add/", webauthn.add_webauthn, "mfa_add_webauthn", "Add a passkey"),
        ("passkeys/again/", webauthn.reauthenticate_webauthn, "mfa_reauthenticate_webauthn", AGAIN),
        ("passkeys/<int:pk>/", webauthn.remove_webauthn, "mfa_remove_webauthn", "Remove passkey"),
    )
    signing_in += [
        path(f"admin/sign-in/second-factor/{place}", page(view, title), name=name)
        for place, view, name, title in pages
    ]
if apps.is_installed("allauth.socialaccount"):
    from interviewsite.sign_in import single_sign_on as sso

    signing_in += [
        path(f"admin/sign-in/{place}", page(view, SIGN_IN), {"provider_id": sso.ID}, name=name)
        for place, view, name in (
            ("oidc/", sso.login, "openid_connect_login"),
            ("oidc/callback/", sso.callback, "openid_connect_callback"),
        )
    ]
urlpatterns = [*signing_in, *of_the_site]
