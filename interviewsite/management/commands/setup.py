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
    """Secret keys, database, demo bots, admin account."""

    help = "Prepare DATA_DIR and the database, load the demo bots, make the admin account."
    requires_system_checks: list[str] = []  # one of them asks for the key that this makes

    def handle(self, *args: Any, **options: Any) -> None:
        """Prints where to go, and the admin's password when it was made just now."""
        _keep("secret_key", secrets.token_urlsafe(50), settings.SECRET_KEY != settings.INSECURE_KEY)
        _keep("data_key", sealing.new_key(), bool(settings.DATA_KEYS))
        call_command("migrate", verbosity=0)
        call_command("load_demo", verbosity=0)
        password = _admin_password()
        env = environ.Env()
        address = f"http://{env.str('HOST', '127.0.0.1')}:{env.int('PORT', 8000)}"
        self.stdout.write(f"\n  Interviews   {address}/\n  Admin        {address}/admin/")
        if password:
            self.stdout.write(f"  Name         {ADMIN}\n  Password     {password}   (shown once)")
        self.stdout.write("")


def _keep(name: str, secret: str, have: bool) -> None:
    """A new secret in DATA_DIR, for this account alone, unless there is one."""
    kept = settings.DATA_DIR / name
    if not have and not kept.exists():
        kept.touch(mode=0o600)
        kept.write_text(secret)


def _admin_password() -> str:
    """Makes the first admin; the password if it was generated, else nothing."""
    if User.objects.filter(is_superuser=True).exists():
        return ""
    password = settings.ADMIN_PASSWORD or secrets.token_urlsafe(12)
    User.objects.create_superuser(ADMIN, password=password)
    return "" if settings.ADMIN_PASSWORD else password
