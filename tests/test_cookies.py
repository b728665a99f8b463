"""Cookies and sessions of staff: from this host only, and over after some idle hours."""

import time

import pytest
from django.contrib.sessions.models import Session

from tests.services.processes import environment, python, run

SETTINGS = ("SESSION_COOKIE_NAME", "CSRF_COOKIE_NAME", "SESSION_COOKIE_AGE", "SECURE_HSTS_SECONDS")
HSTS = ("SECURE_HSTS_INCLUDE_SUBDOMAINS", "SECURE_HSTS_PRELOAD")


def settings_of(folder, **env: str) -> dict[str, str]:
    done = run(python("manage.py", "diffsettings", "--all"), environment(folder, **env))
    assert done.returncode == 0, done.stderr
    lines = (line.removeprefix("### ").split(" = ", 1) for line in done.stdout.splitlines())
    return {name: value for name, value in lines if name in (*SETTINGS, *HSTS)}


def test_over_https_cookies_are_this_hosts_alone_and_hsts_binds_no_other(tmp_path):
    found = settings_of(tmp_path, HTTPS="1", STAFF_IDLE_HOURS="1.5")
    assert found["SESSION_COOKIE_NAME"] == "'__Host-sessionid'"
    assert found["CSRF_COOKIE_NAME"] == "'__Host-csrftoken'"
    assert (found["SESSION_COOKIE_AGE"], found["SECURE_HSTS_SECONDS"]) == ("5400", "31536000")
    assert [found[name] for name in HSTS] == ["False", "False"]
    found = settings_of(tmp_path, HTTPS="1", HSTS_SUBDOMAINS="1", HSTS_PRELOAD="1")
    assert [found[name] for name in HSTS] == ["True", "True"]


def test_without_https_cookies_have_plain_names(tmp_path):
    assert settings_of(tmp_path)["SESSION_COOKIE_NAME"] == "'sessionid'"


@pytest.mark.django_db
def test_a_session_ends_some_hours_after_the_last_activity(admin_client, monkeypatch):
    now = [time.time()]
    monkeypatch.setattr(time, "time", lambda: now[0])

    def ends() -> object:
        return Session.objects.get().expire_date

    admin_client.get("/admin/")
    first = ends()
    now[0] += 200
    admin_client.get("/admin/")
    assert ends() == first  # not written with every request
    now[0] += 200
    admin_client.get("/admin/", headers={"HX-Request": "true"})
    assert ends() == first  # a page that polls is nobody's activity
    admin_client.get("/admin/")
    assert ends() > first
    left = admin_client.session.get_expiry_age()
    assert left == 10 * 3600


@pytest.mark.django_db
def test_participants_get_no_session(client):
    assert client.get("/").status_code == 200
    assert not Session.objects.exists()
