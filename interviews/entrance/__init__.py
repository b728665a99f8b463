"""Whether a new interview may begin: one gate for page, API and whoever else starts one.

Each rule looks at the bot and the person, and raises Refused; the first that does is told.
"""

from collections.abc import Callable
from datetime import datetime

from interviews.entrance.hours import within_hours
from interviews.entrance.invited import invited
from interviews.entrance.quota import within_quota
from interviews.gate import Refused
from interviews.models import Participant
from plans.models import Bot

Rule = Callable[[Bot, Participant | None, datetime], None]
RULES: tuple[Rule, ...] = (invited, within_hours, within_quota)


def admit(bot: Bot, person: Participant | None, at: datetime) -> None:
    """Lets that person begin with that bot at that time. Raises Refused.

    Codes: not_open, closed_now (out of hours), full, by_invitation, invitation_over,
    invitation_used.
    """
    for rule in RULES:
        rule(bot, person, at)


def may_begin(bot: Bot, at: datetime) -> bool:
    """Whether anybody may begin with that bot at that time, without an invitation.

    Costs a query only where there is a quota.
    """
    try:
        admit(bot, None, at)
    except Refused:
        return False
    return True
