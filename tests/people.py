"""People who work on the site."""

from django.contrib.auth.models import Permission, User
from django.test import Client


def somebody(client: Client, *rights: str) -> User:
    """Logged in, with these rights alone."""
    user = User.objects.create_user("somebody", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=rights))
    client.force_login(user)
    return user


def staff(*rights: str) -> User:
    """Not logged in yet, with these rights alone."""
    user = User.objects.create_user(f"staff-{User.objects.count()}", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=rights))
    return user
