"""What members of a team see: its studies and whatever belongs to them, and nothing else.

Somebody who has left their last team, or whose team is deleted, sees nothing and may do nothing.
People who have never been in a team see all that their permissions allow, and so do superusers.
"""

from functools import cache
from typing import Any, TypeVar, cast

from django.contrib.auth.backends import ModelBackend
from django.db.models import Model, Q, QuerySet
from simple_history.models import HistoricalRecords

from plans.models import Bot, LadderMethodology, Team, TeamAccount

Row = TypeVar("Row", bound=Model)
WAYS = ("session", "invitation", "script", "section", "topic", "document")  # to a team's rows
LISTED = {one.related_model for one in Team._meta.many_to_many if one.name != "members"}
SITE_WIDE = ("llm.", "auth.")  # what belongs to no study
SITE_WIDE_CHANGES = ("_expert", "_siteidentity")  # seen by everybody


def team_keys(user: Any) -> tuple[int, ...] | None:
    """Return the keys of somebody's teams, perhaps none; None for people who see all studies."""
    if user.is_superuser:
        return None
    if not hasattr(user, "team_keys"):
        keys = tuple(user.teams.values_list("pk", flat=True))
        limited = keys or TeamAccount.objects.filter(user=user).exists()
        user.team_keys = keys if limited else None
    return cast(tuple[int, ...] | None, user.team_keys)


def visible(rows: QuerySet[Row], user: Any) -> QuerySet[Row]:
    keys = team_keys(user)
    if keys is None:
        return rows
    return rows.filter(_theirs(rows.model, keys)) if keys else rows.none()


def _theirs(model: type[Model], keys: tuple[int, ...]) -> Q:
    """Match the rows of teams: listed, used by a listed bot, or reached by a foreign key."""
    if model is Bot:
        return _within(model, teams__in=keys)
    if model in LISTED:
        shared = Q(teams=None) if model is LadderMethodology else Q(pk__in=())
        used = _within(model, bots__teams__in=keys) if hasattr(model, "bots") else Q(pk__in=())
        return _within(model, teams__in=keys) | used | shared
    related = {one.name: one.related_model for one in model._meta.fields if one.is_relation}
    if "bot" in related:
        return Q(bot__in=Bot.objects.filter(teams__in=keys).values("pk"))
    matches = [
        Q(**{f"{way}__in": owner._base_manager.filter(_theirs(owner, keys)).values("pk")})
        for way in WAYS
        if isinstance(owner := related.get(way), type)
    ]
    return Q(*matches, _connector=Q.OR)


def _within(model: type[Model], **condition: Any) -> Q:
    return Q(pk__in=model._base_manager.filter(**condition).values("pk"))


def is_shared(row: Any, user: Any) -> bool:
    """Return whether a row isn't the user's team's alone, which they may only read."""
    keys = team_keys(user)
    return keys is not None and not row.teams.filter(pk__in=keys).exists()


def keep_in_team(sender: Any, instance: Any, created: bool, **_: Any) -> None:
    """Put what a member of a team creates in the admin into their team."""
    request = getattr(HistoricalRecords.context, "request", None)
    if created and request is not None and request.user.is_authenticated:
        instance.teams.add(*(team_keys(request.user) or ()))


class TeamBackend(ModelBackend):
    """Django's permissions, less those over the whole site for members of a team.

    Somebody limited to teams has none without a team.
    """

    def get_all_permissions(self, user_obj: Any, obj: Any = None) -> set[str]:
        granted = super().get_all_permissions(user_obj, obj)
        if not granted or (keys := team_keys(user_obj)) is None:
            return granted
        return {one for one in granted if keys and not _is_site_wide(one)}


@cache
def _is_site_wide(permission: str) -> bool:
    changes = permission.endswith(SITE_WIDE_CHANGES) and ".view_" not in permission
    return changes or permission.startswith(SITE_WIDE) or permission.endswith("_team")
