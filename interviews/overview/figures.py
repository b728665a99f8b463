"""What a fieldwork manager needs to know of a bot, from counts that are kept as rows."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from itertools import accumulate
from math import ceil
from typing import Any

from django.db.models import QuerySet, Sum

from interviews.measures.distress_review import wanting
from interviews.models import Session, TurnedAway
from interviews.models.overview import utc_day
from interviews.overview.days import DAY, Counts, counted
from interviews.overview.recent import RecentTurns, recent_turns
from interviews.turns.store import plan_content
from llm.models import Spending
from plans.bots.quota import Quota
from plans.models import Bot
from plans.protocols import PROTOCOLS

DAYS_SHOWN = 14
PACE = 7  # days over which the pace is measured
MOST_STEPS = 60
UNITS = {"questions": "Question", "topics": "Topic", "rounds": "Round", "turns": "Turn"}
LENGTHS = (0, 5, 10, 15, 20, 30, 45, 60, 90)  # minutes from which a bar begins


@dataclass(frozen=True)
class Step:
    """How many came as far as a question or topic, and how many left there."""

    number: int
    label: str
    reached: int
    left: int
    share: float  # of those who started, percent
    lost: float  # left there, of those who started, percent

    @property
    def kept(self) -> float:
        return self.share - self.lost

    @property
    def lost_here(self) -> float:
        """Return the percentage of those who came so far that left there."""
        return 100 * self.left / self.reached if self.reached else 0.0


@dataclass(frozen=True)
class Bar:
    label: str
    number: int
    height: float  # percent of the tallest
    query: str = ""  # of the list of interviews

    @property
    def top(self) -> float:
        return 100 - self.height


@dataclass(frozen=True)
class Brief:
    """A bot's figures in one line; money in US dollars."""

    bot: Bot
    at: datetime
    started: int
    running: int
    away: int
    completed: int
    completed_today: int
    stopped: int
    dropped: int
    withdrawn: int
    replaced: int
    declined: int
    uncounted: int  # days
    alerts: int
    last_alert: datetime | None
    cost_today: Decimal

    @property
    def left(self) -> int:
        return self.stopped + self.dropped


@dataclass(frozen=True)
class Overview(Brief):
    turned_away: Mapping[str, int]
    places: Quota
    median_seconds: float | None
    median_words: float | None
    cost: Decimal
    steps: Sequence[Step]
    unit: str
    days: Sequence[Bar]
    lengths: Sequence[Bar]
    full_on: date | None
    recent: RecentTurns

    @property
    def cost_each(self) -> Decimal | None:
        return self.cost / self.completed if self.completed else None

    @property
    def median_clock(self) -> str:
        minutes, seconds = divmod(round(self.median_seconds or 0), 60)
        return f"{minutes}:{seconds:02}"

    @property
    def first_word(self) -> str:
        waits = [f"{wait / 1000:.1f}" for wait in self.recent.first_word or ()]
        return " · ".join(waits) + " s"

    @property
    def people(self) -> list[tuple[str, int, str]]:
        """Return (label, number, query of the list of interviews) in the order of a study."""
        return [
            ("Declined", self.declined, ""),
            ("Started", self.started, ""),
            ("Completed", self.completed, "&status__exact=COMPLETED"),
            ("Stopped early", self.stopped, "&status__exact=STOPPED"),
            ("Quiet for a day: dropped out", self.dropped, "&stage=dropped"),
            ("Quiet for an hour: may return", self.away, "&stage=away"),
            ("Withdrawn", self.withdrawn, "&status__exact=WITHDRAWN"),
            ("Replaced by a new start", self.replaced, "&status__exact=ARCHIVED"),
        ]

    @property
    def worst_step(self) -> Step | None:
        """Return the step that loses at least twice the mean, if enough people came so far."""
        steps = [step for step in self.steps if step.reached >= 20 and step.left >= 3]
        if not steps:
            return None
        worst = max(steps, key=lambda step: step.lost_here)
        mean = sum(step.lost_here for step in self.steps) / len(self.steps)
        return worst if worst.lost_here >= 2 * mean else None


def brief(bot: Bot, now: datetime, share: float) -> Brief:
    return Brief(**_brief(bot, now, *counted(bot, now, share)))


def _brief(bot: Bot, now: datetime, counts: Counts, uncounted: int) -> dict[str, Any]:
    alerts = wanting(Session.objects.filter(bot=bot, preview=False, synthetic=False))
    flagged = list(alerts.order_by("-flagged_at").values_list("flagged_at", flat=True))
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
    return {name: counts["state"][name] for name in STATES} | {
        "bot": bot,
        "at": now,
        "uncounted": uncounted,
        "completed_today": counts["completed_on"][utc_day(now).isoformat()],
        "alerts": len(flagged),
        "last_alert": next(iter(flagged), None),
        "cost_today": _sum(_spent(bot).filter(hour__gte=midnight)),
    }


def _spent(bot: Bot) -> QuerySet[Spending]:
    return Spending.objects.filter(account=str(bot.pk))


def overview(bot: Bot, now: datetime) -> Overview:
    counts, uncounted = counted(bot, now)
    today, state = utc_day(now), counts["state"]
    places = Quota(state["started"] - state["withdrawn"], bot.quota)
    days = counts["completed_on"]
    away = TurnedAway.objects.filter(bot=bot).values_list("reason").annotate(Sum("people"))
    unit, steps = _steps(bot, counts)
    tens = _median(counts["seconds"])
    return Overview(
        turned_away=dict(away.order_by()),
        places=places,
        median_seconds=None if tens is None else 10 * tens,
        median_words=_median(counts["words"]),
        cost=_sum(_spent(bot)),
        steps=steps,
        unit=unit,
        days=_days(days, today),
        lengths=_lengths(counts["seconds"]),
        full_on=_full_on(days, places, today),
        recent=recent_turns(bot),
        **_brief(bot, now, counts, uncounted),
    )


STATES = (
    *("started", "running", "away", "completed", "stopped", "dropped"),
    *("withdrawn", "replaced", "declined"),
)


def _sum(rows: QuerySet[Spending]) -> Decimal:
    return rows.aggregate(cost=Sum("cost"))["cost"] or Decimal()


def _median(numbers: Mapping[str, int]) -> float | None:
    ordered = sorted((int(value), times) for value, times in numbers.items())
    total = sum(times for _, times in ordered)
    if not total:
        return None
    ends = list(accumulate(times for _, times in ordered))
    ranks = ((total - 1) // 2, total // 2)
    return sum(ordered[bisect_right(ends, rank)][0] for rank in ranks) / 2


def _steps(bot: Bot, counts: Counts) -> tuple[str, list[Step]]:
    started = counts["state"]["started"]
    at, left = (  # before the first step is over, somebody is at it
        counts[name] + Counter({"1": counts[name]["0"]}) for name in ("reached", "left")
    )
    last = min(MOST_STEPS, max(map(int, at), default=0))
    unit, labels = _labels(bot)
    reached = {
        number: sum(times for step, times in at.items() if int(step) >= number)
        for number in range(1, last + 1)
    }
    return unit, [
        Step(
            number=number,
            label=labels[number - 1] if number <= len(labels) else f"{unit} {number}",
            reached=so_far,
            left=left[str(number)],
            share=100 * so_far / started,
            lost=100 * left[str(number)] / started,
        )
        for number, so_far in reached.items()
    ]


def _labels(bot: Bot) -> tuple[str, tuple[str, ...]]:
    plan = bot.plans.order_by("-number").first()
    last = Session.objects.filter(bot=bot).exclude(progress={}).order_by("-started_at").first()
    unit = UNITS.get(last.progress.get("unit", ""), "Step") if last else "Step"
    if plan is None:
        return unit, ()
    return unit, PROTOCOLS[plan.protocol].content.steps(plan_content(plan.pk).material)


def _days(completed: Mapping[str, int], today: date) -> list[Bar]:
    shown = [today - DAY * back for back in reversed(range(DAYS_SHOWN))]
    numbers = [completed.get(day.isoformat(), 0) for day in shown]
    most = max(numbers) or 1
    return [
        Bar(
            "today" if day == today else str(day.day),
            number,
            100 * number / most,
            f"&completed_on={day.isoformat()}",
        )
        for day, number in zip(shown, numbers, strict=True)
    ]


def _lengths(tens: Mapping[str, int]) -> list[Bar]:
    bins: Counter[int] = Counter()
    for value, times in tens.items():
        bins[max(one for one in LENGTHS if one <= int(value) / 6)] += times
    if not bins:
        return []
    most = max(bins.values())
    ends = [*LENGTHS[1:], None]
    return [
        Bar(
            f"{begin}–{end}" if end else f"{begin}+",
            bins[begin],
            100 * bins[begin] / most,
            f"&minutes={begin}-{end or ''}",
        )
        for begin, end in zip(LENGTHS, ends, strict=True)
        if begin <= max(bins)
    ]


def _full_on(completed: Mapping[str, int], places: Quota, today: date) -> date | None:
    """Return the day on which the quota is full at the pace of the last week."""
    if places.wanted is None or places.full:
        return None
    week = sum(completed.get((today - DAY * back).isoformat(), 0) for back in range(1, PACE + 1))
    if not week:
        return None
    return today + timedelta(days=ceil((places.wanted - places.taken) * PACE / week))
