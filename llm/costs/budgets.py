"""What models may cost: an interview, a bot in a day, the whole site in a day.

Every call is charged when it ends, whatever becomes of its answer, so that an interview that is
withdrawn or deleted gives no money back. A day is the last 24 hours, by whole hours. Whoever finds
a budget spent goes on without a model.

Sums are kept in memory for `FRESH` seconds, with what this process has spent since. What a turn has
spent is counted at once and written when the turn is over, in one. So a budget is
overshot at most by the calls that were under way, and that of a day moreover by what other
processes have spent in so many seconds and by turns under way.

A model without a price counts as the dearest that has one; free ones are entered into the price
table at 0. Where a provider didn't say how much was read and written, as of calls that were cut
short, it is reckoned from the words.
"""

import logging
import time
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from decimal import Decimal, InvalidOperation
from threading import Lock

from django.conf import settings
from django.db import DatabaseError
from django.db.models import F, Q, Sum
from django.utils import timezone

from llm.concurrency.threads import in_database
from llm.costs.prices import MILLION, cost, dearest
from llm.models import LLMCall, Spending
from llm.routing import routes
from llm.tasks.call_context import Budget
from llm.tasks.records import CallRecord

DAY = timedelta(hours=24)
FRESH = 2.0  # seconds
CHARACTERS_A_TOKEN = 4
SITE = ""  # no account's name
OF_INTERVIEW = "the budget of the interview is spent"
OF_BOT = "the bot’s budget of the day is spent"
OF_SITE = "the site’s budget of the day is spent"
log = logging.getLogger(__name__)


class _Totals:
    """What was spent in the last day, by account: as last read, with what was added since.

    What is added while somebody reads may count twice until the next reading, and never not at all.
    """

    def __init__(self) -> None:
        self._read: dict[str, tuple[Decimal, float]] = {}  # less what had been added, and when
        self._added: dict[str, Decimal] = {}
        self._owed: dict[str, Decimal] = {}  # spent, and not written yet
        self._lock = Lock()

    def fresh(self, account: str) -> Decimal | None:
        """None where it has to be read anew."""
        with self._lock:
            read, at = self._read.get(account, (Decimal(0), float("-inf")))
            known = read + self._sum(account) + self._owed.get(account, Decimal(0))
            return known if time.monotonic() - at < FRESH else None

    def mark(self, account: str) -> Decimal:
        """To be taken before it is read."""
        with self._lock:
            return self._sum(account)

    def put(self, account: str, total: Decimal, mark: Decimal) -> None:
        with self._lock:
            self._read[account] = total - mark, time.monotonic()

    def add(self, account: str, amount: Decimal) -> None:
        """What was spent, once that is written."""
        with self._lock:
            self._added[account] = self._sum(account) + amount

    def owe(self, account: str, amount: Decimal) -> None:
        """What was spent and is written later; less than nothing once it is."""
        with self._lock:
            self._owed[account] = self._owed.get(account, Decimal(0)) + amount

    def owed(self, account: str) -> Decimal:
        """What this process has spent and not written yet."""
        with self._lock:
            return self._owed.get(account, Decimal(0))

    def clear(self) -> None:
        with self._lock:
            self._owed.clear()
            self._read.clear()
            self._added.clear()

    def _sum(self, account: str) -> Decimal:
        return self._added.get(account, Decimal(0))


_TOTALS = _Totals()
_said: dict[str, datetime] = {}  # account -> the hour in which it was logged to be spent


@dataclass(frozen=True)
class DailyBudget:
    """One budget of a day and how it stands."""

    of_site: bool
    most: Decimal
    spent: Decimal

    @property
    def is_spent(self) -> bool:
        """Whether nothing may be asked any more."""
        return self.spent >= self.most


# -- before a call


async def refusal(budget: Budget | None) -> str:
    """Why no model may be asked; empty where one may, and while the database is away."""
    if budget is None:
        return ""
    if budget.is_empty:
        return OF_INTERVIEW
    try:
        spent = [account for account, most in _days(budget) if await _recently(account) >= most]
    except DatabaseError:
        log.exception("Nobody knows how much was spent today")
        return ""
    return _told(spent[0]) if spent else ""


async def _recently(account: str) -> Decimal:
    total = _TOTALS.fresh(account)
    return await in_database(spent_today, account) if total is None else total


def _lately(account: str) -> Decimal:
    total = _TOTALS.fresh(account)
    return spent_today(account) if total is None else total


def refusal_of_day(budget: Budget) -> str:
    """The same, of the day's budgets alone. For what can wait, and for people to see."""
    spent = [account for account, most in _days(budget) if _lately(account) >= most]
    return _told(spent[0]) if spent else ""


def blocked_reason() -> str:
    """Why no model can be asked by anybody; empty where one can."""
    return routes.blocked_reason() or refusal_of_day(Budget())


def _days(budget: Budget) -> list[tuple[str, Decimal]]:
    """The accounts that have a budget of the day, and how much that is."""
    of_bot = [(budget.account, budget.day_most)] if budget.account else []
    every = [*of_bot, (SITE, site_budget())]
    return [(account, most) for account, most in every if most is not None]


def _told(account: str) -> str:
    """The reason; in the log once an hour."""
    why, hour = OF_BOT if account else OF_SITE, _hour(timezone.now())
    if _said.get(account) != hour:
        _said[account] = hour
        log.warning("%s%s; it goes on without a model", why, f" (bot {account})" if account else "")
    return why


# -- after a call


async def charge(budget: Budget | None, record: CallRecord) -> None:
    """Counts a call that has ended. A database that is away costs the figure, not the answer."""
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
    for key in {budget.account, SITE}:
        _TOTALS.owe(key, amount)


def settle(budget: Budget) -> None:
    """Writes what a budget owes, in one. A database that is away costs the figure."""
    amount, budget.owed = budget.owed, None
    if not amount:
        return
    try:
        _book(budget.account, amount)
    except DatabaseError:
        log.exception("Calls to models could not be charged")
    for key in {budget.account, SITE}:
        _TOTALS.owe(key, -amount)


def _book(account: str, amount: Decimal) -> None:
    if amount:
        _write(account, amount)
        for key in {account, SITE}:
            _TOTALS.add(key, amount)


def _write(account: str, amount: Decimal) -> None:
    """One row an hour and account."""
    hour = _hour(timezone.now())
    rows = Spending.objects.filter(account=account, hour=hour)
    if not rows.update(cost=F("cost") + amount):
        Spending.objects.bulk_create([Spending(account=account, hour=hour)], ignore_conflicts=True)
        rows.update(cost=F("cost") + amount)


def price_of(record: CallRecord) -> Decimal:
    """What a call is taken to have cost."""
    counted = record if _says_how_much(record) else _reckoned(record)
    known = cost(counted)
    if known is not None:
        return known
    read = counted.input_tokens + counted.cache_read_tokens + counted.cache_write_tokens
    return _assumed(read, counted.output_tokens)


def _says_how_much(record: CallRecord) -> bool:
    return bool(record.input_tokens or record.output_tokens or not record.response)


def _reckoned(record: CallRecord) -> CallRecord:
    asked = len(record.request.get("system", ""))
    asked += sum(len(line["text"]) for line in record.request.get("messages", ()))
    return replace(
        record,
        input_tokens=asked // CHARACTERS_A_TOKEN,
        output_tokens=len(record.response) // CHARACTERS_A_TOKEN,
    )


def _assumed(read: int, written: int) -> Decimal:
    for_read, for_written = dearest()
    return (read * for_read + written * for_written) / MILLION


# -- how things stand


def site_budget() -> Decimal | None:
    """LLM_DAILY_BUDGET; None where there is none. Raises ValueError."""
    words = str(settings.LLM_DAILY_BUDGET).strip()
    if not words:
        return None
    try:
        amount = Decimal(words)
    except InvalidOperation as error:
        raise ValueError(f"{words!r} is no amount") from error
    if not amount.is_finite() or amount < 0:
        raise ValueError(f"{words!r} is no amount")
    return amount


def today(budget: Budget) -> list[DailyBudget]:
    """The budgets of the day that hold for that budget, the bot's own first; for people to see."""
    return [
        DailyBudget(account == SITE, most, spent_today(account)) for account, most in _days(budget)
    ]


def spent_today(account: str = SITE) -> Decimal:
    """What was spent in the last day; without an account by the whole site."""
    mark = _TOTALS.mark(account)
    rows = Spending.objects.filter(hour__gt=timezone.now() - DAY)
    if account:
        rows = rows.filter(account=account)
    total = rows.aggregate(total=Sum("cost"))["total"] or Decimal(0)
    _TOTALS.put(account, total, mark)
    return total + _TOTALS.owed(account)


def spent_by(session: str) -> Decimal:
    """What an interview has cost until now, by the log of its calls."""
    unpriced = Q(cost=None)
    sums = LLMCall.objects.filter(session=session).aggregate(
        known=Sum("cost"),
        read=Sum(
            F("input_tokens") + F("cache_read_tokens") + F("cache_write_tokens"), filter=unpriced
        ),
        written=Sum("output_tokens", filter=unpriced),
    )
    return (sums["known"] or Decimal(0)) + _assumed(sums["read"] or 0, sums["written"] or 0)


def forget() -> None:
    """What this process remembers."""
    _TOTALS.clear()
    _said.clear()


def _hour(at: datetime) -> datetime:
    return at.replace(minute=0, second=0, microsecond=0)
