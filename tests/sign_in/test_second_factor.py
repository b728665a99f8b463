"""With MFA=required."""

import base64
import hashlib
import hmac
import re
import struct

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal import auth
from cryptography.fernet import Fernet
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.urls import reverse

from interviews.security.key_rotation import reseal
from interviewsite import urls
from interviewsite.sign_in import urls as of_sign_in
from tests.conftest import make_bot
from tests.sign_in.conftest import PASSWORD

pytestmark = pytest.mark.django_db(transaction=True)
LOGIN, SET_UP = "/admin/login/", "/admin/sign-in/second-factor/app/"
ASK = "/admin/sign-in/second-factor/authenticate/"


def totp(secret: str) -> str:
    """The code of RFC 6238 that an authenticator app shows at the time of the test."""
    count = struct.pack(">Q", next(auth.yield_hotp_counters_from_time()))
    digest = hmac.digest(base64.b32decode(secret), count, hashlib.sha1)
    offset = digest[-1] & 15
    number = struct.unpack(">I", digest[offset : offset + 4])[0] & 0x7FFFFFFF
    return f"{number % 1_000_000:06d}"


def sign_in(client: Client, name: str = "ann", password: str = PASSWORD):
    return client.post(LOGIN, {"login": name, "password": password})


def set_up(client: Client) -> str:
    """Sign in for the first time; return the app's secret."""
    sign_in(client)
    secret = re.search(r"<code[^>]*>(\w+)</code>", client.get(SET_UP).content.decode())[1]
    done = client.post(SET_UP, {"code": totp(secret)})
    assert done["Location"] == reverse("mfa_view_recovery_codes")
    return secret


def opens(client: Client) -> bool:
    """Whether pages of the admin and of the API are there; both or neither."""
    pages = {client.get(path).status_code == 200 for path in ("/admin/", "/admin/plans/bot/")}
    assert len(pages) == 1
    return pages.pop()


@pytest.fixture
def secret(ann) -> str:
    return set_up(Client())


def test_a_stolen_password_opens_nothing(ann, secret, visitor, settings):
    assert sign_in(visitor)["Location"] == ASK
    assert not opens(visitor)
    for place in (SET_UP, "/admin/sign-in/second-factor/", "/admin/sign-in/second-factor/codes/"):
        assert visitor.get(place)["Location"].startswith(LOGIN)
    settings.LIMIT_LOGINS = "3/10 minutes"
    found = [visitor.post(ASK, {"code": f"00000{i}"}).status_code for i in range(4)]
    assert found == [200, 200, 200, 429]
    assert visitor.post(ASK, {"code": totp(secret)}).status_code == 429
    assert sign_in(Client()).status_code == 429
    assert not opens(visitor)


def test_password_and_code_open_the_admin(ann, secret, visitor):
    sign_in(visitor)
    assert visitor.post(ASK, {"code": totp(secret)})["Location"] == "/admin/"
    assert opens(visitor)


def test_a_code_works_once(ann, secret, visitor):
    for client, location in ((visitor, "/admin/"), (Client(), None)):
        sign_in(client)
        assert client.post(ASK, {"code": totp(secret)}).get("Location") == location


def test_codes_are_limited_for_an_account_wherever_they_come_from(ann, secret):
    for i in range(5):
        client = Client(REMOTE_ADDR=f"203.0.113.{i}")
        sign_in(client)
        assert "isn&#x27;t right" in client.post(ASK, {"code": "000000"}).content.decode()
    client = Client(REMOTE_ADDR="203.0.113.99")
    sign_in(client)
    assert client.post(ASK, {"code": totp(secret)}).status_code == 200
    assert not opens(client)


def test_nobody_locks_a_name_out_by_wrong_passwords(ann, secret, visitor):
    for i in range(12):
        sign_in(Client(REMOTE_ADDR=f"203.0.113.{i}"), password="wrong")
    assert sign_in(visitor)["Location"] == ASK


def test_a_script_cannot_hide_its_failures_from_the_limit(ann, visitor, settings):
    settings.LIMIT_LOGINS = "1/10 minutes"
    script = Client(headers={"X-Requested-With": "XMLHttpRequest"})
    assert sign_in(script, password="wrong").status_code == 400
    assert sign_in(script).status_code == 429


def test_without_a_second_factor_there_is_only_its_set_up(ann, visitor):
    bot = make_bot()
    sign_in(visitor)
    for path in ("/admin/", "/admin/plans/bot/", f"/admin/plans/bot/{bot.pk}/change/"):
        asked = visitor.get(path, follow=True)
        assert asked.redirect_chain[-1][0] == SET_UP
    page = asked.content.decode()
    assert "Set up a second factor" in page
    assert "data:image/svg+xml;base64," in page
    assert visitor.post(SET_UP, {"code": "000000"}).status_code == 200
    assert not opens(visitor)
    for place in ("", "codes/", "codes/new/", "codes/download/", "app/remove/", "again/"):
        shown = visitor.get(f"/admin/sign-in/second-factor/{place}")
        assert shown["Location"] == SET_UP


def test_the_api_needs_it_too(admin_user, visitor):
    path = "/api/sessions/00000000-0000-0000-0000-000000000000/reflections"
    sign_in(visitor, "admin", "password")
    assert visitor.get(path).wsgi_request.user.is_anonymous
    shown = re.search(r"<code[^>]*>(\w+)</code>", visitor.get(SET_UP).content.decode())[1]
    visitor.post(SET_UP, {"code": totp(shown)})
    assert visitor.get(path).wsgi_request.user == admin_user


def test_set_up_shows_recovery_codes_each_of_which_works_once(ann, visitor):
    set_up(visitor)
    page = visitor.get("/admin/sign-in/second-factor/codes/").content.decode()
    codes = re.findall(r"<li>(\d{8})</li>", page)
    assert len(codes) == 10
    file = visitor.get("/admin/sign-in/second-factor/codes/download/").content.decode()
    assert file.split() == codes
    assert opens(visitor)
    for location in ("/admin/", None):
        client = Client()
        sign_in(client)
        assert client.post(ASK, {"code": codes[0]}).get("Location") == location


def test_a_session_from_before_the_set_up_is_worth_nothing(ann, visitor):
    thief = Client()
    sign_in(thief)
    set_up(visitor)
    assert not opens(thief)
    place = "/admin/sign-in/second-factor/"
    for path in (place, f"{place}app/remove/", f"{place}codes/", f"{place}passkeys/add/"):
        assert thief.get(path, follow=True).redirect_chain[-1][0].startswith(LOGIN)
        assert "_auth_user_id" not in thief.session
    assert opens(visitor)


def test_a_session_of_the_time_before_mfa_was_required_is_worth_nothing(ann, visitor):
    visitor.force_login(ann)
    assert not opens(visitor)
    assert visitor.get("/admin/", follow=True).redirect_chain[-1][0] == SET_UP


def test_changing_it_asks_for_it_again(ann, secret, visitor):
    sign_in(visitor)
    visitor.post(ASK, {"code": totp(secret)})
    removing = "/admin/sign-in/second-factor/app/remove/"
    asked = visitor.get(removing)
    assert asked["Location"].startswith("/admin/sign-in/second-factor/again/")
    assert visitor.post(asked["Location"], {"code": "000000"}).status_code == 200
    assert visitor.post(removing).status_code == 302
    assert Authenticator.objects.filter(user=ann, type="totp").exists()


def test_an_operator_resets_it(ann, secret, visitor, capsys):
    sign_in(visitor)
    visitor.post(ASK, {"code": totp(secret)})
    assert opens(visitor)
    call_command("reset_second_factor", "ann")
    assert "signed out" in capsys.readouterr().out
    assert not Authenticator.objects.exists()
    assert not opens(visitor)
    assert sign_in(visitor)["Location"] == "/admin/"
    assert visitor.get("/admin/", follow=True).redirect_chain[-1][0] == SET_UP
    with pytest.raises(CommandError, match="no account 'nobody'"):
        call_command("reset_second_factor", "nobody")


def test_secrets_are_sealed_and_move_to_a_new_key(ann, secret, visitor, settings):
    with connection.cursor() as cursor:
        cursor.execute("SELECT data FROM mfa_authenticator")
        assert secret not in str(cursor.fetchall())
    settings.DATA_KEYS = [Fernet.generate_key().decode(), *settings.DATA_KEYS]
    assert reseal().resealed == 2
    settings.DATA_KEYS = settings.DATA_KEYS[:1]
    assert (reseal().resealed, reseal().broken) == (0, 0)
    sign_in(visitor)
    assert visitor.post(ASK, {"code": totp(secret)})["Location"] == "/admin/"


def test_without_the_key_no_code_is_right(ann, secret, visitor, settings):
    settings.DATA_KEYS = [Fernet.generate_key().decode()]
    sign_in(visitor)
    for code in (totp(secret), totp("")):
        assert visitor.post(ASK, {"code": code}).status_code == 200
    assert not opens(visitor)


def test_what_the_library_stores_is_not_in_the_admin(admin_user, visitor):
    from django.contrib import admin

    assert not [model for model in admin.site._registry if "allauth" in model.__module__]


def test_errors_are_answered_as_without_it():
    names = {name for name in vars(urls) if name.startswith("handler")}
    assert names
    assert all(getattr(of_sign_in, name) == getattr(urls, name) for name in names)


def test_nobody_signs_up_or_resets_a_password(visitor):
    for path in ("signup/", "password/reset/", "email/"):
        assert visitor.get(f"/admin/sign-in/{path}", follow=True).redirect_chain[0][0] == (
            f"{LOGIN}?next=/admin/sign-in/{path}"  # as any address that the admin doesn't have
        )


def test_participants_pages_have_nothing_of_it(visitor):
    make_bot(slug="place")
    page = visitor.get("/i/place/")
    assert page.status_code == 200
    assert "sign-in" not in page.content.decode()
    assert "sessionid" not in page.cookies
