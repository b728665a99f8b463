"""The last look before a session is made, so that no place and no person is taken twice."""

from collections.abc import Mapping
from datetime import datetime

from interviews.entrance.once import counts_once, only_once
from interviews.entrance.quota import within_quota
from interviews.models import Participant
from plans.models import Bot


def hold_place(
    bot: Bot, person: Participant | None, at: datetime, params: Mapping[str, str]
) -> None:
    """In the transaction that makes the session. Raises Refused as the rules that it repeats.

    Whoever begins with this bot at the same time waits here. SQLite lets one transaction write at
    a time anyway.
    """
    if bot.quota is not None or counts_once(bot, params):
        held = Bot.objects.select_for_update(no_key=True).get(pk=bot.pk)
        within_quota(held, person, at)
        only_once(held, person, params)
