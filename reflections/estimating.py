"""What work on a bot's interviews will cost, before anybody asks for it."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from uuid import UUID

from django.db.models import Count, Q, Sum
from django.db.models.functions import Length

from interviews.models import Fact, TranscriptEntry
from interviews.protocols import PROTOCOLS
from interviews.store import plan_content
from interviews.words import Role
from llm.prices import MILLION, price
from llm.routes import has_model, routes
from llm.subject import Subject
from reflections.batches import Choice, Offer
from reflections.models import EXPERT, Expert, Reflection
from reflections.sizing import USUAL, Size, Use, uses

ASSUMED = (
    "Reckoned from the length of the transcripts at about four characters a token (in Russian two "
    "and a half), with what replies usually come to, each call once; attempts that fail cost more, "
    "what a provider caches costs less."
)


@dataclass(frozen=True)
class Line:
    """One product over all the interviews of which it will be made."""

    name: str
    interviews: int
    calls: int = 0
    read: int = 0
    written: int = 0
    cost: Decimal | None = Decimal(0)  # None where some model has no price

    @property
    def title(self) -> str:
        """In words."""
        return Reflection(name=self.name).title


@dataclass(frozen=True)
class Estimate:
    """All of it."""

    lines: list[Line]
    models: list[str] = field(default_factory=list)
    unpriced: list[str] = field(default_factory=list)  # models without a price
    currency: str = ""

    @property
    def products(self) -> int:
        """How many will be made."""
        return sum(line.interviews for line in self.lines)

    @property
    def calls(self) -> int:
        """Of models."""
        return sum(line.calls for line in self.lines)

    @property
    def read(self) -> int:
        """Tokens that go in."""
        return sum(line.read for line in self.lines)

    @property
    def written(self) -> int:
        """Tokens that come out."""
        return sum(line.written for line in self.lines)

    @property
    def cost(self) -> Decimal | None:
        """By the price table; None where it doesn't have all of the models, or there is none."""
        costs = [line.cost for line in self.lines if line.cost is not None]
        whole = len(costs) == len(self.lines) and has_model()
        return sum(costs, Decimal(0)) if whole else None


def estimated(offer: Offer, choice: Choice) -> Estimate:
    """What the chosen products will take."""
    instructions = _instructions()
    chosen = {name: _rows(offer, name, choice) for name in choice.products}
    sizes = sizes_of(offer, {row for rows in chosen.values() for row in rows})
    prices = _Prices()
    lines = [
        _line(name, rows, sizes, instructions.get(name, 0), prices) for name, rows in chosen.items()
    ]
    return Estimate(lines, sorted(prices.models), sorted(prices.unpriced), prices.currency)


Row = tuple[UUID, int]  # an interview and its plan


def _rows(offer: Offer, name: str, choice: Choice) -> list[Row]:
    return list(offer.lacking(name, choice).values_list("pk", "plan_id"))


def sizes_of(offer: Offer, rows: Iterable[Row]) -> dict[UUID, Size]:
    """How much was said in each of the interviews."""
    keys = {key for key, _ in rows}
    if not keys:
        return {}
    retold = bool(getattr(PROTOCOLS.get(offer.bot.protocol), "narrated", True))
    said = TranscriptEntry.objects.filter(session__bot=offer.bot).exclude(text="").order_by()
    counted = said.values("session", "session__language").annotate(
        characters=Sum(Length("text")),
        utterances=Count("pk"),
        answers=Count("pk", filter=Q(role=Role.PARTICIPANT)),
    )
    facts = _facts_kept(offer)
    return {
        one["session"]: Size(
            one["characters"],
            one["utterances"],
            one["answers"],
            one["session__language"],
            retold,
            facts.get(one["session"], 0),
        )
        for one in counted
        if one["session"] in keys
    }


def _facts_kept(offer: Offer) -> dict[UUID, int]:
    found = Fact.objects.filter(session__bot=offer.bot).order_by().values("session")
    return dict(found.annotate(count=Count("pk")).values_list("session", "count"))


def _instructions() -> dict[str, int]:
    """Tokens of what each expert is told."""
    told = Expert.objects.filter(active=True)
    return {
        f"{EXPERT}{one.key}": math.ceil(len(one.name + one.looks_for + one.instructions) / USUAL)
        for one in told
    }


def _line(
    name: str, rows: list[Row], sizes: Mapping[UUID, Size], instructions: int, prices: "_Prices"
) -> Line:
    """One product over these interviews."""
    taken: dict[tuple[str, int], Use] = {}
    for key, plan in rows:
        for use in uses(name, sizes[key], instructions) if key in sizes else ():
            place = use.task.name, plan
            taken[place] = taken[place] + use if place in taken else use
    costs = [prices.cost(use, plan) for (_, plan), use in taken.items()]
    return Line(
        name,
        len(rows),
        sum(use.calls for use in taken.values()),
        sum(use.read for use in taken.values()),
        sum(use.written for use in taken.values()),
        None if None in costs else sum(filter(None, costs), Decimal(0)),
    )


class _Prices:
    """The price table for the models that would be asked, and which those are."""

    def __init__(self) -> None:
        self.models: set[str] = set()
        self.unpriced: set[str] = set()
        self.currencies: set[str] = set()

    @property
    def currency(self) -> str:
        """The one currency; empty where there are several, or none."""
        return next(iter(self.currencies)) if len(self.currencies) == 1 else ""

    def cost(self, use: Use, plan: int) -> Decimal | None:
        """What these calls cost; None where nobody knows."""
        found = routes(use.task, Subject(models=plan_content(plan).models))
        if not found:
            return None
        route = found[0]
        self.models.add(route.model)
        known = price(route.name, route.model)
        if known is None:
            self.unpriced.add(route.model)
            return None
        self.currencies.add(known.currency)
        return (use.read * known.input + use.written * known.output) / MILLION
