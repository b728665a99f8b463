"""Ready-made groups, each with the least rights for its work. Made once; then they are yours."""

from collections.abc import Iterable
from fnmatch import fnmatch
from typing import NamedTuple

from django.contrib.auth.models import Group, Permission

FIGURES = ("plans.view_*", "interviews.view_overviewday")
READING = (
    *("interviews.view_session", "interviews.view_transcriptentry", "interviews.view_turn"),
    *("interviews.view_fact", "interviews.view_observations", "interviews.view_paradata"),
    *("interviews.view_rating", "reflections.view_*"),
)
SECRETS = ("*_rewardcode", "*_team", "*historical*")  # in no pattern


class Role(NamedTuple):
    does: str
    rights: tuple[str, ...]  # patterns of permissions
    secrets: tuple[str, ...] = ()  # of those that patterns leave out


ROLES = {
    "Owner": Role(
        "Everything in studies: makes and runs them, reads, exports, sees contact data, deletes, "
        "and sees who read or exported what. Accounts and teams are for superusers.",
        ("plans.*", "interviews.*", "reflections.*", "llm.*"),
        ("*_rewardcode",),
    ),
    "Editor": Role(
        "Makes bots, scripts and experiments, tries them and puts them live. Sees figures, no "
        "participant’s words.",
        (
            *("plans.*", "interviews.view_overviewday", "reflections.view_expert"),
            *("reflections.add_evaluation", "reflections.view_evaluation"),
        ),
    ),
    "Fieldwork": Role(
        "Runs the field: overview, live interviews, invitations with names and addresses, "
        "e-mails, quotas, panels, reward codes, signs of distress. Exports no data.",
        (
            *FIGURES,
            *("plans.change_bot", "plans.*_experiment", "plans.*_experimentarm"),
            *("interviews.view_session", "interviews.add_look", "interviews.share_overview"),
            *("interviews.view_participant", "interviews.view_contacts"),
            *("interviews.*_invitation", "interviews.*_mail", "interviews.view_assignment"),
        ),
        ("*_rewardcode",),
    ),
    "Reviewer": Role(
        "Reads interviews and their results, accepts, amends or rejects results, reviews signs "
        "of distress. Sees no contact data, exports nothing.",
        (*FIGURES, *READING, "interviews.add_look", "reflections.review_reflection"),
    ),
    "Researcher": Role(
        "Reads interviews and results, codes and exports them under pseudonyms. Sees no contact "
        "data.",
        (
            *FIGURES,
            *READING,
            *("interviews.export_session", "interviews.*_exporttoken", "interviews.change_code"),
            "interviews.change_fact",
            *("interviews.view_consent*", "interviews.view_assignment"),
            *("reflections.add_calibration", "reflections.change_excerpt"),
        ),
    ),
    "Observer": Role(
        "Sees how studies are set up and their figures. Reads no participant’s words.", FIGURES
    ),
}


def make_roles() -> None:
    """Make the groups that aren't there; those that are keep the rights they have."""
    known = set(Group.objects.values_list("name", flat=True))
    every = list(Permission.objects.select_related("content_type"))
    for name in [name for name in ROLES if name not in known]:
        Group.objects.create(name=name).permissions.set(_of(ROLES[name], every))


def _of(role: Role, every: Iterable[Permission]) -> list[Permission]:
    return [one for one in every if _grants(role, f"{one.content_type.app_label}.{one.codename}")]


def _grants(role: Role, right: str) -> bool:
    secret = any(fnmatch(right, pattern) for pattern in SECRETS)
    granted = any(fnmatch(right, pattern) for pattern in role.rights)
    return granted and (not secret or any(fnmatch(right, one) for one in role.secrets))
