from django.apps import AppConfig
from django.db.models.signals import post_save


class PlansConfig(AppConfig):
    name = "plans"
    verbose_name = "Studies"

    def ready(self) -> None:
        from plans.bots.teams import LISTED, keep_in_team

        for model in LISTED:
            post_save.connect(keep_in_team, sender=model)
