"""Run by tests/test_sign_in.py, with the settings that each file is for."""

import time

import pytest
from django.conf import settings
from django.contrib.auth.models import Group, Permission, User
from django.test import Client

from tests.sign_in.issuer import FakeIssuer

PASSWORD = "correct horse battery staple"


@pytest.fixture(autouse=True)
def clock(monkeypatch):
    """A code lasts as long as its test, however slow the machine."""
    if settings.MFA:
        steps = [int(time.time()) // 30]
        place = "allauth.mfa.totp.internal.auth.yield_hotp_counters_from_time"
        monkeypatch.setattr(place, lambda: iter(steps))


@pytest.fixture
def ann(db) -> User:
    """Staff who may see bots."""
    user = User.objects.create_user("ann", "ann@example.org", PASSWORD, is_staff=True)
    user.user_permissions.add(Permission.objects.get(codename="view_bot"))
    return user


@pytest.fixture
def researchers(db) -> Group:
    group = Group.objects.create(name="Researchers")
    group.permissions.add(
        Permission.objects.get(content_type__app_label="interviews", codename="view_session")
    )
    return group


@pytest.fixture
def issuer():
    from interviewsite.sign_in import single_sign_on

    single_sign_on.keys_at.cache_clear()
    with FakeIssuer(settings.OIDC_ISSUER) as running:
        yield running


@pytest.fixture
def visitor() -> Client:
    return Client()
