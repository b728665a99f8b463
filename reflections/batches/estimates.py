"""Estimates of what a batch will take.

A call is estimated as the mean of past ones: of the same task, to the same model, for interviews of
about the same length.
"""

import math
import re
from bisect import bisect
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db.models import F, Sum
from django.db.models.functions import Length

from interviews.models import TranscriptEntry
from interviews.turns.store import plan_content
from llm.costs.prices import CHARACTERS_A_TOKEN, MILLION, price
from llm.models import LLMCall
from llm.routing.routes import Route, has_model, routes
from llm.tasks.call_context import CallContext
from llm.tasks.records import CallOutcome
from llm.tasks.task import Task
from reflections.batches.offers import BatchChoice, BatchOffer
from reflections.evidence.condensation import CONDENSE, PIECE
from reflections.models import Reflection
from reflections.products import PROTOCOLS, Product, followers, known_product

CLASSES = (5_000, 20_000, 60_000, 150_000)  # bounds of length classes, in characters
LATEST = 300  # maximum number of calls in a mean
DATE = r"-\d{4}-?\d{2}-?\d{2}"  # after a model's name
INSTRUCTIONS, WRITTEN = 1_500, 1_500  # tokens of a call without past ones
ASSUMED = (
    "Estimated from past calls: the mean of up to 300 to the same model for interviews of about "
    "the same length. Where there are none yet, a call is assumed to read the whole transcript, at "
    "about four characters a token, and to write 1,500 tokens."
)


@dataclass(frozen=True)
class Usage:
    """Sums of model calls; `cost` is None if a model has no price."""

    calls: int = 0
    read: float = 0  # tokens
    written: float = 0  # tokens
    cost: Decimal | None = Decimal(0)

    def __add__(self, other: "Usage") -> "Usage":
        known = self.cost is not None and other.cost is not None
        return Usage(
            self.calls + other.calls,
            self.read + other.read,
            self.written + other.written,
            (self.cost or Decimal(0)) + (other.cost or Decimal(0)) if known else None,
        )

    def __mul__(self, count: int) -> "Usage":
        cost = None if self.cost is None else self.cost * count
        return Usage(self.calls * count, self.read * count, self.written * count, cost)


@dataclass(frozen=True)
class ProductEstimate(Usage):
    name: str = ""
    interviews: int = 0

    @property
    def title(self) -> str:
        return Reflection(name=self.name).title


@dataclass(frozen=True)
class Estimate(Usage):
    """The whole batch; `cost` is None if a model has no price, or if no model is configured."""

    lines: Sequence[ProductEstimate] = ()
    models: Sequence[str] = ()
    unpriced: Sequence[str] = ()  # models without a price
    currency: str = ""

    @property
    def products(self) -> int:
        return sum(line.interviews for line in self.lines)


def estimate_batch(offer: BatchOffer, choice: BatchChoice) -> Estimate:
    rows = {
        name: list(offer.lacking(name, choice).values_list("pk", "plan_id"))
        for name in choice.products
    }
    lengths = _lengths({key for some in rows.values() for key, _ in some})
    past = _PastCalls()
    lines = []
    for name, interviews in rows.items():
        usage = Usage()
        for key, plan in interviews:
            length = lengths.get(key, 0)
            for task, calls, characters in _expected_calls(name, offer.bot.protocol, length):
                usage += past.mean(task, plan, length, characters) * calls
        figures = (usage.calls, round(usage.read), round(usage.written), usage.cost)
        lines.append(ProductEstimate(*figures, name, len(interviews)))
    total = sum(lines, Usage())
    sums = (total.calls, total.read, total.written, total.cost if has_model() else None)
    return Estimate(*sums, lines, sorted(past.models), sorted(past.unpriced), past.currency)


def tasks_of(name: str) -> frozenset[str]:
    """Return the names of the tasks that a product and its followers may call."""
    products = _with_followers(name)
    condensing = {CONDENSE.name for product in products if product.has_statements}
    return frozenset({task.name for product in products for task in product.tasks} | condensing)


def _with_followers(name: str) -> list[Product]:
    return [product for one in (name, *followers(name)) if (product := known_product(one))]


def _expected_calls(
    name: str, protocol: str, length: int
) -> Iterable[tuple[Task[Any, Any], int, int]]:
    """Yield (task, number of calls, characters that each reads) for a transcript's length."""
    results = PROTOCOLS.get(protocol)
    if results and name in results.by_rules:
        return
    limit: int = settings.REFLECTION_CHARACTERS
    for product in _with_followers(name):
        if product.has_statements and length > limit:
            yield CONDENSE, math.ceil(length / PIECE), PIECE
        yield from ((task, 1, min(length, limit)) for task in product.tasks)


def _lengths(sessions: Collection[UUID]) -> dict[UUID, int]:
    entries = TranscriptEntry.objects.filter(session__in=sessions).order_by().values("session")
    counted = entries.annotate(characters=Sum(Length("text")))
    return {one["session"]: one["characters"] or 0 for one in counted}


class _PastCalls:
    def __init__(self) -> None:
        self.models: set[str] = set()
        self.unpriced: set[str] = set()
        self.currencies: set[str] = set()
        self._routes: dict[tuple[str, int], Route | None] = {}
        self._means: dict[tuple[str, str], Mapping[int, Usage]] = {}

    @property
    def currency(self) -> str:
        return next(iter(self.currencies)) if len(self.currencies) == 1 else ""

    def mean(self, task: Task[Any, Any], plan: int, length: int, characters: int) -> Usage:
        """Return one call of the task for an interview of that length.

        Without past calls it is priced by the price table for that many characters.
        """
        route = self._route(task, plan)
        model = route.model if route else ""
        if (task.name, model) not in self._means:
            self._means[task.name, model] = _mean_by_length(task.name, model)
        past = self._means[task.name, model].get(bisect(CLASSES, length))
        tokens = characters / CHARACTERS_A_TOKEN + INSTRUCTIONS
        usage = past or Usage(1, tokens, WRITTEN, None)
        return usage if route is None else self._with_price(usage, route)

    def _route(self, task: Task[Any, Any], plan: int) -> Route | None:
        key = task.name, plan
        if key not in self._routes:
            found = routes(task, CallContext(models=plan_content(plan).models))
            self._routes[key] = found[0] if found else None
        return self._routes[key]

    def _with_price(self, usage: Usage, route: Route) -> Usage:
        self.models.add(route.model)
        known = price(route.name, route.model)
        if known is None:
            self.unpriced.add(route.model)
            return usage
        self.currencies.add(known.currency)
        if usage.cost is not None:
            return usage
        cost = Decimal(usage.read) * known.input + Decimal(usage.written) * known.output
        return replace(usage, cost=cost / MILLION)


def _mean_by_length(task: str, model: str) -> Mapping[int, Usage]:
    """Return the mean of the latest calls of a task to a model by length class.

    Providers may name the model that they served with its date.
    """
    named = rf"^{re.escape(model)}({DATE})?$"
    calls = LLMCall.objects.filter(task=task, model__regex=named, outcome=CallOutcome.OK)
    calls = calls.order_by("-id")
    read = F("input_tokens") + F("cache_read_tokens") + F("cache_write_tokens")
    rows = list(calls.values_list("session", read, "output_tokens", "cost")[:LATEST])
    lengths = _lengths({UUID(session) for session, *_ in rows if session})
    groups: dict[int, list[Usage]] = defaultdict(list)
    for session, tokens, written, cost in rows:
        if session and UUID(session) in lengths:
            group = groups[bisect(CLASSES, lengths[UUID(session)])]
            group.append(Usage(1, tokens, written, cost))
    return {place: _mean(group) for place, group in groups.items()}


def _mean(group: list[Usage]) -> Usage:
    count = len(group)
    total = sum(group, Usage())
    cost = None if total.cost is None else total.cost / count
    return Usage(1, total.read / count, total.written / count, cost)
