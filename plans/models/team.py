from typing import Any

from django.conf import settings
from django.db import models

from plans.models.bot import Bot
from plans.models.experiment import Experiment
from plans.models.ladder import LadderConcept, LadderMethodology
from plans.models.script import Script


class Team(models.Model):
    """People who see their own studies only."""

    name = models.CharField(max_length=100, unique=True)
    members = models.ManyToManyField(
        settings.AUTH_USER_MODEL,
        related_name="teams",
        blank=True,
        help_text="They see this team’s studies and no others. What they may do there is up to "
        "their roles.",
    )
    bots = models.ManyToManyField(
        Bot,
        related_name="teams",
        blank=True,
        help_text="With their interviews, invitations and results. Scripts, concepts and "
        "methodologies of these bots are seen too.",
    )
    experiments = models.ManyToManyField(
        Experiment, related_name="teams", blank=True, help_text="With the results of all arms."
    )
    scripts = models.ManyToManyField(
        Script, related_name="teams", blank=True, help_text="Besides those of the bots."
    )
    concepts = models.ManyToManyField(
        LadderConcept, related_name="teams", blank=True, help_text="Besides those of the bots."
    )
    methodologies = models.ManyToManyField(
        LadderMethodology, related_name="teams", blank=True, help_text="Besides those of the bots."
    )

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


class TeamAccount(models.Model):
    """Somebody who has been in a team: they see their teams' studies, and none without a team.

    The row stays when they leave their last team or it is deleted. Only a superuser removes it.
    """

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, primary_key=True, related_name="team_account"
    )

    def __str__(self) -> str:
        return str(self.user)


def limit_to_teams(
    instance: Any, action: str, reverse: bool, pk_set: set[int] | None, **_: Any
) -> None:
    """Limit accounts that become members of a team; a receiver of `m2m_changed`."""
    if action == "post_add":
        keys = {instance.pk} if reverse else pk_set or set()
        rows = [TeamAccount(user_id=key) for key in keys]
        TeamAccount.objects.bulk_create(rows, ignore_conflicts=True)
