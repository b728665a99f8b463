"""`manage.py setup`: everything that a first start needs; harmless when run again."""

import gc
import hashlib
import secrets
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.core.management import call_command
from django.core.management.base import BaseCommand
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import Q

from interviews.security import sealing
from interviewsite.admin.roles import make_roles
from interviewsite.checks import exit_on_failed_checks
from interviewsite.settings import keys

ADMIN = "admin"
CODE = ("requirements.lock", "[ilprs]*/**/*.*")  # apps, locale, static


class Command(BaseCommand):
    help = "Prepare DATA_DIR and the database (SQLite with demo bots), make roles and an admin."
    requires_system_checks: list[str] = []  # one of them requires the key created here

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--static", action="store_true", help="Collect static files, too.")

    def handle(self, *args: Any, **options: Any) -> None:
        _store_secrets()
        exit_on_failed_checks()
        _prepare(options["static"])
        self.stdout.write(f"Database, roles{' and static files' * options['static']}: up to date.")
        if password := _create_admin():
            self.stdout.write(f"\n  Name         {ADMIN}\n  Password     {password}")


def _store_secrets() -> None:
    if settings.SECRET_KEY == settings.INSECURE_KEY:
        _store("secret_key", secrets.token_urlsafe(50))
    if not settings.DATA_KEYS:
        _store("data_key", sealing.new_key())
    settings.SECRET_KEY, settings.DATA_KEYS = keys()


def _store(name: str, secret: str) -> None:
    """Store a secret in DATA_DIR that only this account can read, unless there is one."""
    path = settings.DATA_DIR / name
    if not (path.exists() and path.read_text()):
        path.touch(mode=0o600)
        path.write_text(secret)


def _prepare(static: bool) -> None:
    """Bring database and static files up to date, unless nothing has changed since last time."""
    mark = settings.DATA_DIR / "prepared"
    if mark.exists() and mark.read_text() == _fingerprint(static):
        return
    call_command("migrate", verbosity=0)
    make_roles()
    if connection.vendor == "sqlite":  # a database server is for studies
        call_command("load_demo", verbosity=0)
    if static:
        call_command("collectstatic", interactive=False, verbosity=0)
    mark.touch(mode=0o600)
    mark.write_text(_fingerprint(static))
    gc.collect()  # before a server keeps for good what it finds in memory


def _fingerprint(static: bool) -> str:
    """Return a hash of all that the preparation depends on: code, packages, the database."""
    code = [path for name in CODE for path in settings.BASE_DIR.glob(name) if path.suffix != ".pyc"]
    dates = sorted((str(path), path.stat().st_mtime_ns) for path in code)
    migrations = sorted(MigrationRecorder(connection).applied_migrations())
    database = connection.settings_dict["NAME"]
    collected = (settings.STATIC_ROOT / "staticfiles.json").exists()
    known = repr((static, collected, settings.INSTALLED_APPS, dates, database, migrations))
    return hashlib.sha256(known.encode()).hexdigest()


def _create_admin() -> str:
    if User.objects.filter(Q(is_superuser=True) | Q(username=ADMIN)).exists():
        return ""
    password = settings.ADMIN_PASSWORD or secrets.token_urlsafe(12)
    User.objects.create_superuser(ADMIN, password=password)
    return "as in ADMIN_PASSWORD" if settings.ADMIN_PASSWORD else f"{password}   (shown once)"
