from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from interviews.models import Participant
from interviews.validation import RequestRefused
from plans.models import Bot

Hours = tuple[datetime, datetime]  # of one day, from and until
DAYS = 4  # to look ahead: the next opening is within them, even if a day has no such hours


def not_open_error() -> RequestRefused:
    return RequestRefused("not_open", _("This interview isn’t open right now."))


def check_opening_hours(bot: Bot, person: Participant | None, at: datetime) -> None:
    """Raise RequestRefused: not_open, closed_now."""
    if bot.is_open(at) and in_hours(bot, at):
        return
    opens = next_opening(bot, at)
    if opens is None:
        raise not_open_error()
    when = {"when": format_opening(bot, opens)}
    if bot.opens_at and bot.opens_at > at:
        message = _("This interview isn’t open yet. It opens on %(when)s.")
        raise RequestRefused("not_open", message % when)
    message = _("This interview is closed right now. It opens on %(when)s.")
    raise RequestRefused("closed_now", message % when)


def in_hours(bot: Bot, at: datetime) -> bool:
    if bot.hours_from is None or bot.hours_to is None:
        return True
    return any(since <= at < until for since, until in _hours_around(bot, at))


def next_opening(bot: Bot, at: datetime) -> datetime | None:
    """Return when the bot opens next; None if it is open at `at` or won't open again."""
    if bot.status != Bot.Status.LIVE:
        return None
    earliest = max(at, bot.opens_at or at)
    opens = earliest
    if not in_hours(bot, earliest):
        opens = min(since for since, _until in _hours_around(bot, earliest) if since > earliest)
    closes_first = bot.closes_at is not None and bot.closes_at <= opens
    return None if closes_first or opens == at else opens


def format_opening(bot: Bot, at: datetime) -> str:
    local = timezone.localtime(at, ZoneInfo(bot.time_zone))
    return f"{date_format(local, 'DATETIME_FORMAT')} ({zone_name(bot)})"


def zone_name(bot: Bot) -> str:
    return bot.time_zone.rsplit("/", 1)[-1].replace("_", " ")


def _hours_around(bot: Bot, at: datetime) -> Iterator[Hours]:
    zone = ZoneInfo(bot.time_zone)
    today = timezone.localtime(at, zone).date()
    if bot.hours_from is not None and bot.hours_to is not None:
        for days in range(-1, DAYS):
            day = today + timedelta(days=days)
            begins, ends = _hours_of_day(day, bot.hours_from, bot.hours_to, zone)
            if begins < ends:  # hours may be empty on the day the clocks go forward
                yield begins, ends


def _hours_of_day(day: date, since: time, until: time, zone: ZoneInfo) -> Hours:
    """Return the opening hours of a day in UTC, past midnight if they end before they begin.

    In UTC because Python compares two times of one zone by the clock, ignoring clock changes.
    """
    last = day + timedelta(days=until <= since)
    begins, ends = datetime.combine(day, since, zone), datetime.combine(last, until, zone)
    return begins.astimezone(UTC), ends.astimezone(UTC)
