"""What an interview is about: bots, scripts, plans."""

from django.apps import AppConfig


class PlansConfig(AppConfig):
    name = "plans"
    verbose_name = "Studies"
