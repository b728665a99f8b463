"""Whether a new interview may begin: one gate for page, API and whoever else starts one.

Each rule looks at the bot and the person, and raises Refused; the first that does is told.
"""

from collections.abc import Callable, Mapping
from datetime import datetime

from interviews.entrance.hours import within_hours
from interviews.entrance.invited import invited
from interviews.entrance.once import only_once
from interviews.entrance.quota import within_quota
from interviews.gate import Refused
from interviews.models import Participant
from interviews.params import refuse_incomplete
from plans.models import Bot

Rule = Callable[[Bot, Participant | None, datetime], None]
RULES: tuple[Rule, ...] = (invited, within_hours, within_quota)


def admit(bot: Bot, person: Participant | None, at: datetime, params: Mapping[str, str]) -> None:
    """Lets that person begin with that bot at that time, by a link with those parameters.

    In: `params` by their known names. Raises Refused: not_open, closed_now (out of hours), full,
    by_invitation, invitation_over, invitation_used, incomplete_link, already_given,
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
    except Refused:
        return False
    return True
