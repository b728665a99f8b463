"""A second factor and single sign-on, in processes of their own: settings decide what is loaded."""

import json
import os
import sys

import pytest
from django.db import connection
from django.db.models import JSONField

from interviews.security.key_rotation import reseal, unreadable
from interviews.security.sealing import new_key, seal, unseal
from tests.services.processes import free_port, python, run

MFA = {"MFA": "required"}
SINGLE_SIGN_ON = {
    "OIDC_CLIENT_ID": "site",
    "OIDC_CLIENT_SECRET": "secret",
    "OIDC_NAME": "Example University",
    "OIDC_ROLES": "uni-research=Researchers; uni-edit=Editors",
}


def passes(name: str, **env: str) -> None:
    done = run(
        python("-m", "pytest", "-q", "-p", "no:cacheprovider", f"tests/sign_in/{name}.py"),
        {**os.environ, "TEST_SIGN_IN": "1", **env},
    )
    assert done.returncode == 0, done.stdout[-8000:] + done.stderr[-2000:]


def with_issuer(**env: str) -> dict[str, str]:
    return {**SINGLE_SIGN_ON, "OIDC_ISSUER": f"http://127.0.0.1:{free_port()}", **env}


@pytest.mark.processes
@pytest.mark.timeout(300)
def test_second_factor():
    passes("test_second_factor", **MFA)


@pytest.mark.processes
@pytest.mark.timeout(300)
def test_single_sign_on():
    passes("test_single_sign_on", **with_issuer())


@pytest.mark.processes
@pytest.mark.timeout(300)
def test_without_passwords():
    passes("test_without_passwords", **with_issuer(**MFA, PASSWORD_LOGIN="0"))


def test_nothing_is_loaded_without_the_settings(client, db, settings):
    page = client.get("/admin/login/").content.decode()
    assert 'name="username"' in page
    assert settings.ROOT_URLCONF == "interviewsite.urls"
    loaded = {name.partition(".")[0] for name in sys.modules}
    assert not loaded & {"allauth", "fido2", "oauthlib"}
    assert "interviewsite.sign_in" not in sys.modules


def test_second_factors_that_stay_without_mfa_move_to_a_new_key(db, settings):
    table, kind = "mfa_authenticator", JSONField().db_type(connection)
    before, after = new_key(), new_key()
    settings.DATA_KEYS = [before]
    stored = {"secret": seal("totp"), "used_mask": 0}
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE TABLE {table} (id integer PRIMARY KEY, data {kind} NOT NULL)")
        cursor.execute(f"INSERT INTO {table} VALUES (1, %s)", [json.dumps(stored)])
        settings.DATA_KEYS = [after, before]
        assert reseal().resealed == 1
        settings.DATA_KEYS = [after]
        cursor.execute(f"SELECT data FROM {table}")
        [(data,)] = cursor.fetchall()
    found = json.loads(data)
    assert found == {"secret": found["secret"], "used_mask": 0}
    assert unseal(found["secret"]) == "totp"
    assert unreadable() == []
    settings.DATA_KEYS = [before]
    assert unreadable() == ["second factors"]


@pytest.mark.parametrize(
    ("env", "said"),
    [
        ({"MFA": "1"}, "MFA is '1'"),
        ({"OIDC_ISSUER": "https://login.example"}, "lacks a setting"),
        ({"OIDC_CLIENT_ID": "site"}, "lacks a setting"),
        ({**SINGLE_SIGN_ON, "OIDC_ISSUER": "http://login.example"}, "read or forged"),
        ({**with_issuer(), "OIDC_ROLES": "Researchers"}, "can't be read"),
        ({"PASSWORD_LOGIN": "0"}, "nobody could sign in"),
        ({**with_issuer(), **MFA}, ""),
    ],
)
def test_settings_that_make_no_sense_are_refused(settings, env, said):
    from interviewsite.checks import signing_in

    for name, value in {"PASSWORD_LOGIN": "1", **env}.items():
        setattr(settings, name, value != "0" if name == "PASSWORD_LOGIN" else value)
    assert "".join(problem.msg for problem in signing_in()).find(said) >= 0
    assert bool(signing_in()) == bool(said)
