from django.apps import AppConfig
from django.db.models.signals import m2m_changed, post_save


class PlansConfig(AppConfig):
    name = "plans"
    verbose_name = "Studies"

    def ready(self) -> None:
        from plans.bots.teams import LISTED, keep_in_team
        from plans.models.team import Team, limit_to_teams

        m2m_changed.connect(limit_to_teams, sender=Team.members.through)
        for model in LISTED:
            post_save.connect(keep_in_team, sender=model)
