"""Whether a new interview may begin: one gate for page, API and whoever else starts one.

Each rule looks at the bot and the person, and raises Refused; the first that does is told.
"""

from collections.abc import Callable, Mapping
from datetime import datetime

from interviews.models import Participant
from interviews.recruitment.eligibility.invitation_only import invited
from interviews.recruitment.eligibility.one_per_person import only_once
from interviews.recruitment.eligibility.opening_hours import within_hours
from interviews.recruitment.eligibility.quota import within_quota
from interviews.recruitment.panel_parameters import refuse_incomplete
from interviews.validation import RequestRefused
from plans.models import Bot

Rule = Callable[[Bot, Participant | None, datetime], None]
RULES: tuple[Rule, ...] = (invited, within_hours, within_quota)


def admit(bot: Bot, person: Participant | None, at: datetime, params: Mapping[str, str]) -> None:
    """Lets that person begin with that bot at that time, by a link with those parameters.

    In: `params` by their known names. Raises RequestRefused: not_open, closed_now (out of hours),
    full, by_invitation, invitation_over, invitation_used, incomplete_link, already_given,
    begun_elsewhere.
    """
    for rule in RULES:
        rule(bot, person, at)
    refuse_incomplete(bot, params)
    only_once(bot, person, params)


def may_begin(bot: Bot, at: datetime) -> bool:
    """Whether anybody may begin with that bot at that time, without an invitation.

    Costs a query only where there is a quota.
    """
    try:
        for rule in RULES:
            rule(bot, None, at)
    except RequestRefused:
        return False
    return True
