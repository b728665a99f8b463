"""Limits what models may cost: per interview, per bot and day, per site and day.

Every call is charged when it ends, whatever happens to its answer, so withdrawing or deleting an
interview gives no money back. A day is the last 24 hours, in whole hours. When a budget is spent,
interviews continue without a model.

Sums are cached for `FRESH` seconds, and include what this process has spent since. A turn's
spending counts at once and is stored in one go when the turn is over. So a budget is overshot at
most by the calls in progress, and a daily budget also by what other processes have spent in the
last `FRESH` seconds or in turns that aren't over.

A model without a price is charged like the dearest in the price table; enter free ones at 0. If a
provider reports no token counts, as for calls that were cut short, they are estimated from the
length of the texts.
"""

import logging
import time
from collections import defaultdict
from datetime import datetime, timedelta
from decimal import Decimal, InvalidOperation
from threading import Lock
from typing import NamedTuple

from django.conf import settings
from django.db import DatabaseError
from django.db.models import F, Q, Sum
from django.utils import timezone

from llm.concurrency.threads import in_database
from llm.costs.prices import MILLION, cost, dearest, with_tokens
from llm.models import LLMCall, Spending
from llm.routing.routes import NO_MODEL, has_model
from llm.tasks.call_context import Budget
from llm.tasks.records import CallRecord

DAY = timedelta(hours=24)
FRESH = 2.0  # seconds
SITE = ""  # no account's name
OF_INTERVIEW = "the budget of the interview is spent"
OF_BOT = "the bot’s budget of the day is spent"
OF_SITE = "the site’s budget of the day is spent"
log = logging.getLogger(__name__)


class _Totals:
    """What was spent in the last day by account: the sum last read and what was added since.

    Spending added while somebody reads may count twice until the next reading, but is never lost.
    """

    def __init__(self) -> None:
        # The sum read less what had been added by then, and when it was read
        self._read: dict[str, tuple[Decimal, float]] = {}
        self._added: defaultdict[str, Decimal] = defaultdict(Decimal)
        self._owed: defaultdict[str, Decimal] = defaultdict(Decimal)  # spent, but not stored yet
        self._lock = Lock()

    def fresh(self, account: str) -> Decimal | None:
        with self._lock:
            read, at = self._read.get(account, (Decimal(0), float("-inf")))
            total = read + self._added[account] + self._owed[account]
            return total if time.monotonic() - at < FRESH else None

    def mark(self, account: str) -> Decimal:
        """Return what was added so far; to be called before reading, and passed to `put`."""
        with self._lock:
            return self._added[account]

    def put(self, account: str, total: Decimal, mark: Decimal) -> None:
        with self._lock:
            self._read[account] = total - mark, time.monotonic()

    def add(self, account: str, amount: Decimal) -> None:
        with self._lock:
            for one in {account, SITE}:
                self._added[one] += amount

    def owe(self, account: str, amount: Decimal) -> None:
        """Add spending to be stored later; a negative amount once it is."""
        with self._lock:
            for one in {account, SITE}:
                self._owed[one] += amount

    def owed(self, account: str) -> Decimal:
        with self._lock:
            return self._owed[account]


_TOTALS = _Totals()
_logged: dict[str, datetime] = {}  # by account: the hour in which its spent budget was logged


class DailyBudget(NamedTuple):
    of_site: bool
    spent: Decimal
    most: Decimal

    @property
    def is_spent(self) -> bool:
        return self.spent >= self.most


# -- before a call


async def refusal_reason(budget: Budget | None) -> str:
    """Return why no model may be asked, or "". A database error doesn't block calls."""
    if budget is None:
        return ""
    if budget.is_empty:
        return OF_INTERVIEW
    try:
        limits = _daily_limits(budget)
        spent = [account for account, most in limits if await _aspent(account) >= most]
    except DatabaseError:
        log.exception("Nobody knows how much was spent today")
        return ""
    return _reason(spent[0]) if spent else ""


async def _aspent(account: str) -> Decimal:
    total = _TOTALS.fresh(account)
    return await in_database(spent_today, account) if total is None else total


def _spent(account: str) -> Decimal:
    total = _TOTALS.fresh(account)
    return spent_today(account) if total is None else total


def daily_refusal_reason(budget: Budget) -> str:
    """Return the same for the daily budgets only: for background jobs and the admin."""
    spent = [account for account, most in _daily_limits(budget) if _spent(account) >= most]
    return _reason(spent[0]) if spent else ""


def blocked_reason() -> str:
    return daily_refusal_reason(Budget()) if has_model() else NO_MODEL


def _daily_limits(budget: Budget) -> list[tuple[str, Decimal]]:
    limits = [(budget.account, budget.day_most)] if budget.account else []
    limits.append((SITE, site_budget()))
    return [(account, most) for account, most in limits if most is not None]


def _reason(account: str) -> str:
    reason, hour = OF_BOT if account else OF_SITE, _hour(timezone.now())
    if _logged.get(account) != hour:
        _logged[account] = hour
        bot = f" (bot {account})" if account else ""
        log.warning("%s%s; interviews continue without a model", reason, bot)
    return reason


# -- after a call


async def charge(budget: Budget | None, record: CallRecord) -> None:
    """Charge a call that has ended. A database error loses the charge, not the answer."""
    if budget is None:
        return
    try:
        await in_database(_charge, budget, record)
    except DatabaseError:
        log.exception("A call to a model could not be charged")


def _charge(budget: Budget, record: CallRecord) -> None:
    amount = price_of(record)
    budget.spent += amount
    if budget.owed is None:
        _book(budget.account, amount)
        return
    budget.owed += amount
    _TOTALS.owe(budget.account, amount)


def settle(budget: Budget) -> None:
    """Store what the budget owes. A database error loses the charge."""
    amount, budget.owed = budget.owed, None
    if not amount:
        return
    try:
        _book(budget.account, amount)
    except DatabaseError:
        log.exception("Calls to models could not be charged")
    _TOTALS.owe(budget.account, -amount)


def _book(account: str, amount: Decimal) -> None:
    if amount:
        _store(account, amount)
        _TOTALS.add(account, amount)


def _store(account: str, amount: Decimal) -> None:
    hour = _hour(timezone.now())
    rows = Spending.objects.filter(account=account, hour=hour)
    if not rows.update(cost=F("cost") + amount):
        Spending.objects.bulk_create([Spending(account=account, hour=hour)], ignore_conflicts=True)
        rows.update(cost=F("cost") + amount)


def price_of(record: CallRecord) -> Decimal:
    record = with_tokens(record)
    known = cost(record)
    if known is not None:
        return known
    read = record.input_tokens + record.cache_read_tokens + record.cache_write_tokens
    return _highest_cost(read, record.output_tokens)


def _highest_cost(read: int, written: int) -> Decimal:
    input_price, output_price = dearest()
    return (read * input_price + written * output_price) / MILLION


# -- how things stand


def site_budget() -> Decimal | None:
    """Return LLM_DAILY_BUDGET, or None if there is none. Raises ValueError."""
    value = str(settings.LLM_DAILY_BUDGET).strip()
    if not value:
        return None
    try:
        amount = Decimal(value)
    except InvalidOperation as error:
        raise ValueError(f"{value!r} is no amount") from error
    if not amount.is_finite() or amount < 0:
        raise ValueError(f"{value!r} is no amount")
    return amount


def daily_budgets(budget: Budget) -> list[DailyBudget]:
    limits = _daily_limits(budget)
    return [DailyBudget(account == SITE, spent_today(account), most) for account, most in limits]


def spent_today(account: str = SITE) -> Decimal:
    mark = _TOTALS.mark(account)
    rows = Spending.objects.filter(hour__gt=timezone.now() - DAY)
    if account:
        rows = rows.filter(account=account)
    total = rows.aggregate(total=Sum("cost"))["total"] or Decimal(0)
    _TOTALS.put(account, total, mark)
    return total + _TOTALS.owed(account)


def session_cost(session: str) -> Decimal:
    """Return what the interview's turns have cost; other calls about it aren't the interviewer's.

    Such as those of a simulated participant, whom a model plays.
    """
    unpriced = Q(cost=None)
    read = F("input_tokens") + F("cache_read_tokens") + F("cache_write_tokens")
    sums = LLMCall.objects.filter(session=session, turn__isnull=False).aggregate(
        known=Sum("cost"),
        read=Sum(read, filter=unpriced),
        written=Sum("output_tokens", filter=unpriced),
    )
    return (sums["known"] or Decimal(0)) + _highest_cost(sums["read"] or 0, sums["written"] or 0)


def _hour(at: datetime) -> datetime:
    return at.replace(minute=0, second=0, microsecond=0)
