"""`manage.py setup`: everything that a first start needs; harmless when run again."""

import secrets
from typing import Any

import environ
from django.conf import settings
from django.contrib.auth.models import User
from django.core.management import call_command
from django.core.management.base import BaseCommand

from interviews.security import sealing

ADMIN = "admin"


class Command(BaseCommand):
    help = "Prepare DATA_DIR and the database, load the demo bots, make the admin account."
    requires_system_checks: list[str] = []  # one of them requires the key created here

    def handle(self, *args: Any, **options: Any) -> None:
        has_key = settings.SECRET_KEY != settings.INSECURE_KEY
        _store_secret("secret_key", secrets.token_urlsafe(50), has_key)
        _store_secret("data_key", sealing.new_key(), bool(settings.DATA_KEYS))
        call_command("migrate", verbosity=0)
        call_command("load_demo", verbosity=0)
        password = _create_admin()
        env = environ.Env()
        address = f"http://{env.str('HOST', '127.0.0.1')}:{env.int('PORT', 8000)}"
        self.stdout.write(f"\n  Interviews   {address}/\n  Admin        {address}/admin/")
        if password:
            self.stdout.write(f"  Name         {ADMIN}\n  Password     {password}   (shown once)")
        self.stdout.write("")


def _store_secret(name: str, secret: str, have: bool) -> None:
    """Store a new secret in DATA_DIR, readable for this account only, unless there is one."""
    path = settings.DATA_DIR / name
    if not have and not path.exists():
        path.touch(mode=0o600)
        path.write_text(secret)


def _create_admin() -> str:
    if User.objects.filter(is_superuser=True).exists():
        return ""
    password = settings.ADMIN_PASSWORD or secrets.token_urlsafe(12)
    User.objects.create_superuser(ADMIN, password=password)
    return "" if settings.ADMIN_PASSWORD else password
