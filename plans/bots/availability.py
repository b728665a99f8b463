from datetime import datetime
from zoneinfo import ZoneInfo

from django.utils.formats import date_format
from django.utils.timezone import localtime

from plans.bots.quota import Quota
from plans.models import Bot


def describe_availability(bot: Bot, places: Quota, at: datetime) -> str:
    if bot.closes_at and bot.closes_at <= at:
        return f"Over since {_local_time(bot, bot.closes_at)}: nobody can begin"
    if places.full:
        return "All places are taken: nobody can begin"
    if bot.opens_at and bot.opens_at > at:
        return f"Opens on {_local_time(bot, bot.opens_at)}: nobody can begin before"
    who = "Invited people can begin" if bot.invited_only else "Participants can begin"
    if bot.hours_from is None or bot.hours_to is None:
        return who
    return f"{who} from {bot.hours_from:%H:%M} to {bot.hours_to:%H:%M} ({bot.time_zone})"


def _local_time(bot: Bot, at: datetime) -> str:
    local = localtime(at, ZoneInfo(bot.time_zone))
    return f"{date_format(local, 'DATETIME_FORMAT')} ({bot.time_zone})"
