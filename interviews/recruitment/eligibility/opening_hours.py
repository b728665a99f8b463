"""When a bot is open: between its opening and closing, at its hours of the day."""

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
DAYS = 4  # within which it opens again, even if one of them has no such hours


def within_hours(bot: Bot, person: Participant | None, at: datetime) -> None:
    """Raises RequestRefused: not_open, closed_now."""
    if bot.is_open(at) and in_hours(bot, at):
        return
    opens = next_opening(bot, at)
    if opens is None:
        raise RequestRefused("not_open", _("This interview is not open at the moment."))
    when = {"when": shown(bot, opens)}
    if bot.opens_at and bot.opens_at > at:
        raise RequestRefused(
            "not_open", _("This interview is not open yet. It opens on %(when)s.") % when
        )
    raise RequestRefused(
        "closed_now", _("This interview is closed now. It opens on %(when)s.") % when
    )


def in_hours(bot: Bot, at: datetime) -> bool:
    """Whether that time is within the bot's hours of the day."""
    if bot.hours_from is None or bot.hours_to is None:
        return True
    return any(since <= at < until for since, until in _around(bot, at))


def next_opening(bot: Bot, at: datetime) -> datetime | None:
    """The first time after `at` at which it opens; None where it is open or will not open."""
    if bot.status != Bot.Status.LIVE:
        return None
    earliest = max(at, bot.opens_at or at)
    opens = earliest
    if not in_hours(bot, earliest):
        opens = min(since for since, _until in _around(bot, earliest) if since > earliest)
    closed = bot.closes_at is not None and bot.closes_at <= opens
    return None if closed or opens == at else opens


def shown(bot: Bot, at: datetime) -> str:
    """A time as it is told to people, by the clocks of the bot's zone, which is named."""
    local = timezone.localtime(at, ZoneInfo(bot.time_zone))
    return f"{date_format(local, 'DATETIME_FORMAT')} ({zone_name(bot)})"


def zone_name(bot: Bot) -> str:
    """The bot's time zone in words: UTC, or the place whose clocks count."""
    return bot.time_zone.rsplit("/", 1)[-1].replace("_", " ")


def _around(bot: Bot, at: datetime) -> Iterator[Hours]:
    """The hours of the days about that time; none where it has none."""
    zone = ZoneInfo(bot.time_zone)
    today = timezone.localtime(at, zone).date()
    if bot.hours_from is not None and bot.hours_to is not None:
        for days in range(-1, DAYS):
            begins, ends = _of_day(today + timedelta(days=days), bot.hours_from, bot.hours_to, zone)
            if begins < ends:  # a clock that goes forward may swallow them
                yield begins, ends


def _of_day(day: date, since: time, until: time, zone: ZoneInfo) -> Hours:
    """One stretch, whatever the clocks do in it; past midnight where it ends before it begins.

    As moments in UTC: two times of one zone would be compared by their clocks.
    """
    last = day + timedelta(days=until <= since)
    begins, ends = datetime.combine(day, since, zone), datetime.combine(last, until, zone)
    return begins.astimezone(UTC), ends.astimezone(UTC)
