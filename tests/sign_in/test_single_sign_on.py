"""With OIDC_ISSUER, OIDC_ROLES and passwords as well."""

import time
from urllib.parse import parse_qs, urlsplit

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from django.contrib.auth.models import User
from django.test import Client

from tests.sign_in.conftest import PASSWORD
from tests.sign_in.issuer import ANN, FakeIssuer

pytestmark = pytest.mark.django_db
LOGIN, START = "/admin/login/", "/admin/sign-in/oidc/"
ANNS = {"email": "Ann@Example.org", "email_verified": True}


def begin(client: Client, issuer: FakeIssuer, start: str = START) -> str:
    """Go to the issuer and sign in there; return where it sends the browser."""
    asked = client.get(start)
    assert asked.status_code == 302
    place = urlsplit(asked["Location"])
    assert f"{place.scheme}://{place.netloc}" == issuer.url
    return issuer.authorize({name: found[0] for name, found in parse_qs(place.query).items()})


def sign_in(client: Client, issuer: FakeIssuer, start: str = START):
    return client.get(begin(client, issuer, start))


def is_refused(client: Client, response) -> bool:
    shown = client.get(response["Location"], follow=True)
    return (
        response["Location"] == LOGIN
        and "Single sign-on failed" in shown.content.decode()
        and "_auth_user_id" not in client.session
    )


def test_the_login_page_offers_both_ways(visitor):
    page = visitor.get(LOGIN + "?next=/admin/plans/bot/").content.decode()
    assert "Sign in with Example University" in page
    assert f'href="{START}?next=%2Fadmin%2Fplans%2Fbot%2F"' in page
    assert 'name="password"' in page


def test_somebody_new_gets_an_account_without_rights(issuer, visitor):
    issuer.person |= {"email": "ann@example.org", "email_verified": True}
    assert sign_in(visitor, issuer)["Location"] == "/admin/"
    user = User.objects.get()
    assert (user.username, user.email) == ("ann", "ann@example.org")
    assert (user.get_full_name(), user.is_staff, user.is_superuser) == ("Ann Lee", False, False)
    assert not user.has_usable_password()
    assert not user.get_all_permissions()
    page = visitor.get("/admin/", follow=True)
    assert page.status_code == 403
    assert "may not use the admin yet" in page.content.decode()
    visitor.post("/admin/sign-in/out/")
    sign_in(visitor, issuer)
    assert User.objects.count() == 1


def test_an_account_is_matched_by_a_verified_email_address(ann, issuer, visitor):
    issuer.person |= ANNS
    assert sign_in(visitor, issuer, f"{START}?next=/admin/plans/bot/")["Location"].endswith("/bot/")
    assert visitor.get("/admin/plans/bot/").status_code == 200
    assert User.objects.get() == ann
    assert Client().login(username="ann", password=PASSWORD)


@pytest.mark.parametrize("verified", [False, None, "true", "false", 1])
def test_an_unverified_email_address_matches_nobody(ann, issuer, visitor, verified):
    issuer.person |= {**ANNS, "email_verified": verified}
    issuer.info = {"email": "ann@example.org"}
    sign_in(visitor, issuer)
    other = User.objects.exclude(pk=ann.pk).get()
    assert other.email == ""
    assert other.username != "ann"
    assert visitor.get("/admin/", follow=True).status_code == 403


def test_an_address_of_two_accounts_matches_neither(ann, issuer, visitor):
    User.objects.create_user("ann2", "ANN@example.org")
    issuer.person |= ANNS
    response = sign_in(visitor, issuer)
    assert "More than one account" in visitor.get(response["Location"]).content.decode()
    assert User.objects.count() == 2


def test_an_account_that_is_switched_off_stays_so(ann, issuer, visitor):
    User.objects.update(is_active=False)
    issuer.person |= ANNS
    response = sign_in(visitor, issuer)
    assert "switched off" in visitor.get(response["Location"]).content.decode()
    assert "_auth_user_id" not in visitor.session


@pytest.mark.parametrize("process", ["connect", "redirect"])
def test_no_address_ties_an_identity_to_whoever_is_signed_in(ann, issuer, visitor, process):
    visitor.force_login(ann)
    visitor.raise_request_exception = False
    sign_in(visitor, issuer, f"{START}?process={process}")
    other = Client()
    sign_in(other, issuer)
    assert other.session["_auth_user_id"] != str(ann.pk)
    assert visitor.session["_auth_user_id"] == other.session["_auth_user_id"]


def test_the_address_counts_once_then_the_subject(ann, issuer, visitor):
    issuer.person |= ANNS
    sign_in(visitor, issuer)
    User.objects.create_user("bob", "bob@example.org", is_staff=True)
    issuer.person["email"] = "bob@example.org"
    other = Client()
    sign_in(other, issuer)
    assert other.session["_auth_user_id"] == str(ann.pk)


def forged() -> rsa.RSAPrivateKey:
    return rsa.generate_private_key(65537, 2048)


def changed(issuer: FakeIssuer, **changes: object) -> None:
    issuer.changes = changes


MISBEHAVIOURS = {
    "nonce": lambda issuer: changed(issuer, nonce="another"),
    "audience": lambda issuer: changed(issuer, aud="another-client"),
    "issuer": lambda issuer: changed(issuer, iss="https://elsewhere.example"),
    "expired": lambda issuer: changed(issuer, exp=int(time.time()) - 120),
    "not yet issued": lambda issuer: changed(issuer, iat=int(time.time()) + 600),
    "signature": lambda issuer: setattr(issuer, "signs", forged()),
    "somebody else's info": lambda issuer: issuer.info.update(sub="bob-1"),
    "down": lambda issuer: setattr(issuer, "down", True),
}


@pytest.mark.parametrize("what", MISBEHAVIOURS)
def test_a_token_that_is_not_for_this_sign_in_opens_nothing(ann, issuer, visitor, what):
    issuer.person |= ANNS
    back = begin(visitor, issuer)
    MISBEHAVIOURS[what](issuer)
    assert is_refused(visitor, visitor.get(back))
    assert User.objects.count() == 1


def test_a_token_signed_with_the_public_key_as_a_secret_opens_nothing(issuer, visitor, monkeypatch):
    back = begin(visitor, issuer)
    none = jwt.encode({**ANN, "nonce": "x"}, None, "none", headers={"kid": "one"})
    monkeypatch.setattr("tests.sign_in.issuer.jwt.encode", lambda *_, **__: none)
    assert is_refused(visitor, visitor.get(back))


def test_a_callback_belongs_to_the_browser_that_began(ann, issuer, visitor):
    issuer.person |= ANNS
    back = begin(Client(), issuer)
    assert is_refused(visitor, visitor.get(back))
    assert not issuer.asked


def test_a_callback_works_once(ann, issuer, visitor):
    issuer.person |= ANNS
    back = begin(visitor, issuer)
    visitor.get(back)
    visitor.post("/admin/logout/")
    assert is_refused(visitor, visitor.get(back))


def test_a_silent_issuer_is_said_to_have_failed(ann, visitor):
    """None is running."""
    assert is_refused(visitor, visitor.get(START))


def test_failures_count_as_wrong_passwords_do(ann, issuer, visitor, settings):
    settings.LIMIT_LOGINS = "2/10 minutes"
    callback = f"{START}callback/?code=guessed&state=guessed"
    assert [visitor.get(callback).status_code for _ in range(3)] == [302, 302, 429]
    form = {"login": "ann", "password": PASSWORD}
    assert visitor.post(LOGIN, form).status_code == 429
    assert visitor.get(START).status_code == 429


def test_groups_follow_the_claim(researchers, issuer, visitor):
    issuer.person |= {**ANNS, "groups": ["uni-research", "uni-everybody"]}
    sign_in(visitor, issuer)
    user = User.objects.get()
    assert user.is_staff
    assert list(user.groups.all()) == [researchers]
    assert visitor.get("/admin/interviews/session/").status_code == 200
    issuer.person["groups"] = ["uni-everybody"]
    sign_in(Client(), issuer)
    user.refresh_from_db()
    assert not user.is_staff
    assert not user.groups.exists()
    assert visitor.get("/admin/", follow=True).status_code == 403


def test_rights_given_in_the_admin_stay(ann, researchers, issuer, visitor):
    issuer.person |= {**ANNS, "groups": "uni-research"}
    sign_in(visitor, issuer)
    ann.refresh_from_db()
    assert ann.is_staff
    issuer.person["groups"] = None
    sign_in(Client(), issuer)
    ann.refresh_from_db()
    assert ann.is_staff
    assert ann.has_perm("plans.view_bot")
    assert not ann.has_perm("interviews.view_session")


@pytest.mark.parametrize("groups", [None, 7, {"uni-research": True}, [["uni-research"]], ["wheel"]])
def test_no_other_claim_gives_anything(researchers, issuer, visitor, groups):
    issuer.person["groups"] = groups
    sign_in(visitor, issuer)
    user = User.objects.get()
    assert (user.is_staff, user.is_superuser, user.groups.count()) == (False, False, 0)


def test_a_group_that_is_not_there_gives_nothing(issuer, visitor):
    issuer.person["groups"] = ["uni-research"]
    sign_in(visitor, issuer)
    assert not User.objects.get().is_staff


def test_it_leads_nowhere_else(issuer, visitor):
    assert sign_in(visitor, issuer, f"{START}?next=https://evil.example/")["Location"] == "/admin/"
