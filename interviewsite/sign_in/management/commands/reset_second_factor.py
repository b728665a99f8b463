"""`manage.py reset_second_factor NAME`: for somebody who has lost theirs, or had it stolen."""

from typing import Any

from django.apps import apps
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone


class Command(BaseCommand):
    help = "Remove somebody's second factor and sign them out everywhere."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", help="the name with which they sign in")

    def handle(self, *args: Any, **options: Any) -> None:
        if not apps.is_installed("allauth.mfa"):
            raise CommandError("MFA isn't set, so nobody has a second factor.")
        from allauth.mfa.models import Authenticator

        user = User.objects.filter(username=options["name"]).first()
        if user is None:
            raise CommandError(f"There is no account {options['name']!r}.")
        Authenticator.objects.filter(user=user).delete()
        for session in Session.objects.filter(expire_date__gt=timezone.now()):
            if session.get_decoded().get("_auth_user_id") == str(user.pk):
                session.delete()
        self.stdout.write(
            f"{user.username} is signed out, and sets up a new second factor at the next sign-in."
        )
