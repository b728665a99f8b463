"""A second check when a session is created, so that no place or person counts twice."""

from collections.abc import Mapping
from datetime import datetime

from interviews.models import Participant
from interviews.recruitment.eligibility.one_per_person import check_first_interview, limited_to_one
from interviews.recruitment.eligibility.quota import check_quota
from plans.models import Bot


def reserve_place(
    bot: Bot, person: Participant | None, at: datetime, params: Mapping[str, str]
) -> None:
    """Lock the bot and check quota and person again; raise what the rules raise.

    Call it in the transaction that creates the session. Others who start with this bot wait here.
    SQLite allows one writing transaction at a time anyway.
    """
    if bot.quota is not None or limited_to_one(bot, params):
        locked = Bot.objects.select_for_update(no_key=True).get(pk=bot.pk)
        check_quota(locked, person, at)
        check_first_interview(locked, person, params)
