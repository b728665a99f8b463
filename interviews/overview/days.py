"""Counts of a bot's interviews, a row a day, so that an overview reads rows and scans nothing.

Days that are over are counted once. The last two are counted again when somebody looks, at most
every `FRESH`, or in a twentieth of the time if counting takes long. A look counts the latest days
first and leaves what takes longer to the next look. Previews and simulated interviews aren't
counted.
"""

import math
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime, timedelta
from typing import Any

from django.db import connection
from django.db.models import QuerySet
from django.db.models.expressions import RawSQL
from django.utils import timezone

from interviews.choices import SessionStatus
from interviews.models import Consent, OverviewDay, Session
from interviews.models.overview import (
    QUIET_AFTER,
    SETTLED_AFTER,
    last_heard,
    utc_day,
    words_of_answers,
)
from interviews.turns import retention
from plans.models import Bot

FRESH = timedelta(seconds=10)
LOOK = 0.05  # seconds
SHARE = 20  # counting takes at most one part in so many of the time
DAY = timedelta(days=1)
MOST_WORDS = 400  # longer answers are counted together
MIDNIGHT = {  # before a row of `_came_on`, in UTC
    "sqlite": "date(came.moment)",
    "postgresql": "date_trunc('day', came.moment, 'UTC')",
}
Counts = dict[str, Counter[str]]


def counted(bot: Bot, now: datetime, share: float = 1.0) -> tuple[Counts, int]:
    """Return the counts over all days, and how many days are still to be counted.

    Stops counting after its share of a `LOOK`, or one day if that takes longer.

    Groups: `state` (started, replaced, completed, stopped, withdrawn, dropped, away, running,
    declined), `reached` and `left` (by number of the question or topic), `completed_on` (by ISO
    date), `seconds` (of completed interviews, in tens), `words` (of an answer).
    """
    rows = {row.day: row for row in OverviewDay.objects.filter(bot=bot)}
    days = _days(bot, now)
    unknown = [day for day in days if day not in rows]
    if len(unknown) > 3:  # after an import, or long without a look
        rows |= _save(_empty_days(bot, unknown, now))
    # A day on which nobody is left, since they were deleted, is counted again as well.
    days = sorted({*days, *rows})
    due = [day for day in days if not _holds(rows.get(day), now)]
    until, made = time.perf_counter() + LOOK * share, list[OverviewDay]()
    while due and (not made or time.perf_counter() < until):
        day = due.pop()
        made.append(_count_day(bot, day, now, rows.get(day)))
    rows |= _save(made)
    return add_up(row.counts for row in rows.values()), len(due)


def sweep(at_once: bool = False) -> int:
    """Delete interviews that are past their time, once their days are counted."""
    return retention.sweep(at_once, _keep)


def _keep(bot: Bot, going: list[Any]) -> None:
    """Note what interviews that are about to be deleted add to the counts of their days."""
    now = timezone.now()
    counted(bot, now, math.inf)
    sessions = _counted(bot).filter(pk__in=going)
    days = {utc_day(at) for at in sessions.values_list("started_at", flat=True)}
    for row in OverviewDay.objects.filter(bot=bot, day__in=days):
        row.gone = add_up([row.gone, _counts(_of_day(sessions, row.day), now)])
        row.save(update_fields=["gone"])


def add_up(parts: Iterable[Mapping[str, Mapping[str, int]]]) -> Counts:
    total: Counts = defaultdict(Counter)
    for part in parts:
        for group, numbers in part.items():
            total[group].update(numbers)
    return total


def _holds(row: OverviewDay | None, now: datetime) -> bool:
    return row is not None and (row.fresh_until is None or row.fresh_until > now)


def _days(bot: Bot, now: datetime) -> list[date]:
    """Return all days since somebody came first."""
    first = _counted(bot).order_by("started_at").values_list("started_at", flat=True).first()
    earliest = _declined(bot).order_by("at").values_list("at", flat=True).first()
    came = [utc_day(at) for at in (first, earliest) if at]
    if not came:
        return []
    start = min(came)
    return [start + DAY * index for index in range((utc_day(now) - start).days + 1)]


def _empty_days(bot: Bot, days: Iterable[date], now: datetime) -> list[OverviewDay]:
    """Return rows without counts, due where somebody came, so that other days cost nothing."""
    held = _came_on(_counted(bot), "started_at") | _came_on(_declined(bot), "at")
    settled = utc_day(now - SETTLED_AFTER) - DAY
    return [
        OverviewDay(
            bot=bot, day=day, counts={}, fresh_until=now if day in held or day > settled else None
        )
        for day in days
    ]


def _came_on(rows: QuerySet[Any], field: str) -> set[date]:
    """Return the days that have rows, by one query: from each to the one before by the index."""
    midnight = MIDNIGHT[connection.vendor]
    times = rows.order_by(f"-{field}").values(field)
    earlier = times.filter(**{f"{field}__lt": RawSQL(midnight, ())})  # noqa: S611  # a constant
    latest, given = times[:1].query.sql_with_params()
    before, also = earlier[:1].query.sql_with_params()
    statement = (
        f"WITH RECURSIVE came(moment) AS (SELECT ({latest}) UNION ALL SELECT ({before}) "  # noqa: S608
        f"FROM came WHERE moment IS NOT NULL) SELECT {midnight} FROM came WHERE moment IS NOT NULL"
    )
    with connection.cursor() as cursor:
        cursor.execute(statement, (*given, *also))
        return {date.fromisoformat(str(day)[:10]) for (day,) in cursor.fetchall()}


def _midnight(day: date) -> datetime:
    return datetime(day.year, day.month, day.day, tzinfo=UTC)


def _save(rows: list[OverviewDay]) -> dict[date, OverviewDay]:
    OverviewDay.objects.bulk_create(
        rows,
        update_conflicts=True,
        unique_fields=["bot", "day"],
        update_fields=["counts", "fresh_until"],
    )
    return {row.day: row for row in rows}


def _counted(bot: Bot) -> QuerySet[Session]:
    return Session.objects.filter(bot=bot, preview=False, synthetic=False)


def _declined(bot: Bot) -> QuerySet[Consent]:
    return Consent.objects.filter(bot=bot, preview=False, session=None)


def _of_day(sessions: QuerySet[Session], day: date) -> QuerySet[Session]:
    start = _midnight(day)
    return sessions.filter(started_at__gte=start, started_at__lt=start + DAY)


def _count_day(bot: Bot, day: date, now: datetime, before: OverviewDay | None) -> OverviewDay:
    began = time.perf_counter()
    start = _midnight(day)
    counts = _counts(_of_day(_counted(bot), day), now)
    declined = _declined(bot).filter(at__gte=start, at__lt=start + DAY)
    counts["state"]["declined"] = declined.count()
    took = timedelta(seconds=time.perf_counter() - began)
    alive = counts["state"]["running"] + counts["state"]["away"]
    final = not alive and now >= start + DAY + SETTLED_AFTER
    fresh = None if final else now + max(FRESH, took * SHARE)
    if before:
        counts = add_up([counts, before.gone])
    return OverviewDay(bot=bot, day=day, counts=counts, fresh_until=fresh)


def _counts(sessions: QuerySet[Session], now: datetime) -> Counts:
    heard = last_heard(sessions)
    counts: Counts = defaultdict(Counter)
    for pk, status, started, ended, away, progress in sessions.values_list(
        "pk", "status", "started_at", "ended_at", "away_total", "progress"
    ):
        state = _state(status, now - heard.get(pk, started))
        counts["state"][state] += 1
        if state == "replaced":
            continue
        counts["state"]["started"] += 1
        step = str((progress or {}).get("current", 0))
        counts["reached"][step] += 1
        if state in ("stopped", "dropped"):
            counts["left"][step] += 1
        if state == "completed" and ended:
            counts["completed_on"][utc_day(ended).isoformat()] += 1
            tens = round(max(0.0, (ended - started).total_seconds() - away) / 10)
            counts["seconds"][str(tens)] += 1
    counts["words"] = _words(sessions.exclude(status=SessionStatus.ARCHIVED))
    return counts


def _state(status: str, quiet: timedelta) -> str:
    match status:
        case SessionStatus.ARCHIVED:
            return "replaced"
        case SessionStatus.COMPLETED | SessionStatus.STOPPED | SessionStatus.WITHDRAWN:
            return status.lower()
    if quiet >= SETTLED_AFTER:
        return "dropped"
    return "away" if quiet >= QUIET_AFTER else "running"


def _words(sessions: QuerySet[Session]) -> Counter[str]:
    return Counter(str(min(number, MOST_WORDS)) for _, number in words_of_answers(sessions))
