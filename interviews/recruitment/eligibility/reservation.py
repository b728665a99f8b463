"""The last look before a session is made, so that no place and no person is taken twice."""

from collections.abc import Mapping
from datetime import datetime

from interviews.models import Participant
from interviews.recruitment.eligibility.one_per_person import counts_once, only_once
from interviews.recruitment.eligibility.quota import within_quota
from plans.models import Bot


def hold_place(
    bot: Bot, person: Participant | None, at: datetime, params: Mapping[str, str]
) -> None:
    """Check again in the transaction that makes the session; raises what the rules raise.

    Whoever begins with this bot at the same time waits here. SQLite lets one transaction write at
    a time anyway.
    """
    if bot.quota is not None or counts_once(bot, params):
        held = Bot.objects.select_for_update(no_key=True).get(pk=bot.pk)
        within_quota(held, person, at)
        only_once(held, person, params)
