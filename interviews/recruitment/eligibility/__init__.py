"""Whether a new interview may start: the same rules for pages, API and every other caller.

Each rule takes the bot, the person and the time, and raises RequestRefused; the first refusal wins.
"""

from collections.abc import Callable, Mapping
from datetime import datetime

from django.utils.translation import gettext as _

from interviews.choices import ACTIVE
from interviews.models import Participant
from interviews.recruitment.eligibility.invitation_only import check_invitation
from interviews.recruitment.eligibility.one_per_person import (
    check_first_interview,
    identifying_params,
)
from interviews.recruitment.eligibility.opening_hours import check_opening_hours
from interviews.recruitment.eligibility.quota_cells import all_given, check_cells
from interviews.recruitment.panel_parameters import refuse_incomplete
from interviews.validation import RequestRefused
from plans.bots.quota import places_taken, taken_by
from plans.models import Bot


def check_quota(bot: Bot, person: Participant | None, at: datetime) -> None:
    """Raise RequestRefused: full."""
    if bot.quota is None:
        return
    taken = taken_by(bot)
    if person is not None:  # starting anew archives their active one, which frees its place
        taken = taken.exclude(participant=person, status__in=ACTIVE)
    if places_taken(bot, taken) >= bot.quota:
        raise RequestRefused("full", _("All places in this interview are taken."))


Rule = Callable[[Bot, Participant | None, datetime], None]
RULES: tuple[Rule, ...] = (check_invitation, check_opening_hours, check_quota)


def check_eligibility(
    bot: Bot,
    person: Participant | None,
    at: datetime,
    params: Mapping[str, str],
    answers: Mapping[str, str] | None = None,
) -> None:
    """Raise RequestRefused unless the person may start an interview with the bot.

    `params` are the link's parameters by their known names, `answers` what was entered on the start
    page; None before. Codes: not_open, closed_now (out of hours), full, screened, by_invitation,
    invitation_over, invitation_used, incomplete_link, already_given, begun_elsewhere.
    """
    for rule in RULES:
        rule(bot, person, at)
    refuse_incomplete(bot, params)
    check_first_interview(bot, person, params)
    given = all_given(bot, answers or {}, params)
    check_cells(bot, person, at, given, final=answers is not None)


def is_open_to_all(bot: Bot, at: datetime) -> bool:
    """Whether anybody may start with the bot without an invitation.

    Costs a query only if the bot has a quota.
    """
    try:
        for rule in RULES:
            rule(bot, None, at)
    except RequestRefused:
        return False
    return True


def reserve_place(
    bot: Bot,
    person: Participant | None,
    at: datetime,
    params: Mapping[str, str],
    answers: Mapping[str, str],
) -> None:
    """Lock the bot and check quota and person again, so that no place or person counts twice.

    Call it in the transaction that creates the session. Others who start with this bot wait here.
    SQLite allows one writing transaction at a time anyway.
    """
    if bot.quota is not None or bot.quota_cells or identifying_params(bot, params):
        locked = Bot.objects.select_for_update(no_key=True).get(pk=bot.pk)
        check_quota(locked, person, at)
        check_first_interview(locked, person, params)
        check_cells(locked, person, at, all_given(locked, answers, params), final=True)
