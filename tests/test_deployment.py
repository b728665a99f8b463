"""Files for operators name settings that exist, and docs/operators.md names all of them."""

import re
from datetime import timedelta

from celery.beat import Service
from django.conf import settings

from interviewsite.celery import app
from interviewsite.settings import VERSION
from tests.services.processes import ROOT

APPS = ("interviewsite", "llm", "plans", "interviews", "reflections")
READ = re.compile(r'env\.\w+\(\s*"([A-Z_]+)"')
FOR_DEVELOPERS = {"DEBUG"}
OF_COMPOSE = {"POSTGRES_PASSWORD"}


def settings_read() -> set[str]:
    files = [path for app in APPS for path in (ROOT / app).rglob("*.py")]
    return {name for path in files for name in READ.findall(path.read_text())}


def test_the_template_of_settings_holds_no_unknown_one():
    template = (ROOT / "deploy" / "interviewsite.env").read_text()
    named = set(re.findall(r"^#?([A-Z_]+)=", template, re.M))
    assert {"ALLOWED_HOSTS", "DATABASE_URL", "METRICS_TOKEN"} <= named
    assert named <= settings_read() | OF_COMPOSE


def test_every_setting_is_explained_to_operators():
    explained = set(re.findall(r"`([A-Z_]+)`", (ROOT / "docs" / "operators.md").read_text()))
    assert "ALLOWED_HOSTS" in explained
    assert settings_read() - explained <= FOR_DEVELOPERS


def test_containers_restore_a_backup_that_was_put_into_their_volume():
    docs = (ROOT / "docs" / "operators.md").read_text()
    before, path = re.findall(r"(.*)\ndocker compose .* restore (/backups/\S+)", docs, re.S)[0]
    assert f"run --rm --no-deps -T backup sh -c 'cat > {path}' <" in before


def test_the_version_has_upgrade_notes():
    changes = (ROOT / "CHANGELOG.md").read_text()
    heading, notes = re.findall(r"^##+ (.*)", changes, re.M)[:2]
    assert heading == VERSION
    assert notes.startswith("Upgrade notes")
    assert f"version: {VERSION}\n" in (ROOT / "CITATION.cff").read_text()


def test_beat_sweeps_after_a_start_whatever_the_clock_said_before(tmp_path):
    file, chosen = str(tmp_path / "schedule"), app.conf.beat_scheduler
    for _ in range(2):
        scheduler = Service(app, schedule_filename=file, scheduler_cls=chosen).get_scheduler()
        entry = scheduler.schedule["sweep"]
        assert entry.is_due().next <= settings.SWEEP_EVERY
        entry.last_run_at = app.now() + timedelta(hours=1)
        scheduler.close()
