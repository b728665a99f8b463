"""With PASSWORD_LOGIN=0, single sign-on and MFA=required."""

import re

import pytest
from django.apps import apps
from django.test import Client

from interviewsite.admin.pages import data_protection_page
from tests.sign_in.conftest import PASSWORD
from tests.sign_in.test_second_factor import ASK, SET_UP, opens, totp
from tests.sign_in.test_single_sign_on import ANNS, LOGIN, sign_in

pytestmark = pytest.mark.django_db(transaction=True)


def test_no_password_opens_anything(ann, visitor):
    page = visitor.get(LOGIN).content.decode()
    assert 'name="password"' not in page
    assert "Sign in with Example University" in page
    assert visitor.post(LOGIN, {"login": "ann", "password": PASSWORD}).status_code == 200
    assert "_auth_user_id" not in visitor.session
    assert not Client().login(username="ann", password=PASSWORD)


def test_the_second_factor_holds_for_single_sign_on_too(ann, issuer, visitor):
    issuer.person |= ANNS
    sign_in(visitor, issuer)
    assert not opens(visitor)
    secret = re.search(r"<code[^>]*>(\w+)</code>", visitor.get(SET_UP).content.decode())[1]
    assert visitor.post(SET_UP, {"code": totp(secret)}).status_code == 302
    assert opens(visitor)
    other = Client()
    assert sign_in(other, issuer)["Location"] == ASK
    assert not opens(other)
    other.post(ASK, {"code": totp(secret)})
    assert opens(other)


def test_the_page_on_data_protection_has_the_tables_of_both(rf, admin_user):
    request = rf.get("/")
    request.user = admin_user
    page = data_protection_page(request).text
    for label in ("account", "mfa", "socialaccount"):
        for model in apps.get_app_config(label).get_models(include_auto_created=True):
            assert f"<code>{model._meta.db_table}</code>" in page
