"""The best pair of strategy and candidate, and a table of the best with the reasons.

Ties go to the strategy that stands first in the methodology's file, then to the candidate that
came up last, then to the highest rung, so the same interview always continues the same way. What a
candidate bars (up from the top, the reason for what has one) is no choice at all.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from operator import add
from typing import cast

from interviews.protocols.laddering.signals.base import DetectedSignals, Value, Values, weighable
from interviews.protocols.laddering.signals.moment import WAYS, FocusCandidate, Moment, Way
from plans.protocols.laddering.schema.methodology import Focus, Methodology, Mode, Phase, Strategy
from plans.protocols.laddering.schema.vocabulary import Term, parse_condition, registered_terms

KEPT = 50  # of the best pairs, besides those of the chosen candidate
DIGITS = 9  # sums that differ by less are a tie
Place = tuple[float, int, int]  # score, negative; strategy; row


# -- the scores of all pairs, of which there are thousands at every turn


@dataclass(frozen=True, slots=True)
class Contribution:
    """What one signal adds to a score."""

    signal: str
    value: Value  # as it is weighed
    points: float


@dataclass(frozen=True, slots=True)
class Weights:
    """A strategy's weights in the order of the signals' names, read once to score pairs fast."""

    strategy: Strategy
    values: Mapping[str, Mapping[Value, float]]  # signal -> value -> weight
    numbers: Mapping[str, float]  # signal -> what its number is multiplied with

    def contributions(self, seen: Values) -> list[Contribution]:
        matched = [
            Contribution(name, seen[name], by_value[seen[name]])
            for name, by_value in self.values.items()
            if seen.get(name) in by_value
        ]
        numbers = [
            Contribution(name, value, weight * value)
            for name, weight in self.numbers.items()
            if isinstance(value := seen.get(name), int | float)
        ]
        return matched + numbers


def weights_of(methodology: Methodology) -> tuple[Weights, ...]:
    terms = registered_terms()
    return tuple(_read(strategy, terms) for strategy in methodology.strategies)


def _read(strategy: Strategy, terms: Mapping[str, Term]) -> Weights:
    values: dict[str, dict[Value, float]] = {}
    numbers: dict[str, float] = {}
    for key, weight in sorted(strategy.signal_weights.items()):
        found = parse_condition(key, terms)
        if found is None:
            continue
        if found.value is None:
            numbers[found.name] = weight
        else:
            values.setdefault(found.name, {})[found.value] = weight
    return Weights(strategy, values, numbers)


Scores = list[float]  # one for each row
BONUS = 1.0  # as much as a weight of 1 that matches
SHALLOW_CHAIN = 2  # nodes at most

PREFERRED: dict[Focus, Callable[[FocusCandidate], bool]] = {
    "any": lambda one: False,
    "newest": lambda one: one.newest,
    "orphan": lambda one: one.state.orphan and not one.uncovered,
    "current": lambda one: one.state.focus_streak > 0,
    "shallow_chain": lambda one: 0 < one.chain <= SHALLOW_CHAIN,
    "uncovered": lambda one: one.uncovered,
}


def bonus(focus: Focus, candidate: FocusCandidate | None) -> float:
    return BONUS if candidate is not None and PREFERRED[focus](candidate) else 0.0


@dataclass(frozen=True, slots=True)
class Rows:
    """The candidates with their signals; the last row is no candidate at all."""

    candidates: tuple[FocusCandidate | None, ...]
    own: tuple[Values, ...]  # of each candidate
    talk: Values  # for every row that has no value of its own

    def seen(self, row: int) -> Values:
        return {**self.talk, **self.own[row]}


def rows_of(candidates: Iterable[FocusCandidate], own: Mapping[str, Values], talk: Values) -> Rows:
    """Return the rows in one order, however the candidates come.

    Nodes first, those of the last answer before all and the highest rung of them, then elements
    without nodes in the concept's order, then none.
    """
    listed = sorted(candidates, key=_order)
    nothing: Values = {}
    return Rows((*listed, None), (*(own.get(one.id, nothing) for one in listed), nothing), talk)


def _order(candidate: FocusCandidate) -> tuple[bool, int, int, int, str]:
    created = 0 if candidate.uncovered else candidate.state.created
    return candidate.uncovered, -created, -candidate.rung, candidate.place, candidate.id


def score(all_weights: Sequence[Weights], rows: Rows, factors: Mapping[str, float]) -> list[Scores]:
    """Return each strategy's scores; `factors` are the phase weights, 1 where none is named."""
    seen = [rows.seen(row) for row in range(len(rows.own))]
    names = {name for one in all_weights for name in (*one.values, *one.numbers)}
    columns = {name: [values.get(name, 0.0) for values in seen] for name in names}
    return [_scores(one, rows, columns, factors.get(one.strategy.id, 1.0)) for one in all_weights]


def _scores(
    weights: Weights, rows: Rows, columns: Mapping[str, Sequence[Value]], factor: float
) -> Scores:
    sums = [0.0] * len(rows.candidates)
    for name, by_value in weights.values.items():
        points = [by_value.get(value, 0.0) for value in columns[name]]
        sums = list(map(add, sums, points))
    for name, weight in weights.numbers.items():
        points = [weight * n if isinstance(n, int | float) else 0.0 for n in columns[name]]
        sums = list(map(add, sums, points))
    bonuses = [bonus(weights.strategy.focus_preference, one) for one in rows.candidates]
    # the phase weight counts on positive sums only
    return [(s * factor if s > 0 else s) + b for s, b in zip(sums, bonuses, strict=True)]


# -- the choice


@dataclass(frozen=True, slots=True)
class ScoredPair:
    """A strategy at a candidate.

    score = sum of the contributions' points (x phase weight, if that sum is positive) + bonus
    """

    strategy: Strategy
    about: FocusCandidate | None  # None: nothing in particular
    score: float
    phase_weight: float
    bonus: float
    contributions: tuple[Contribution, ...]

    @property
    def focus(self) -> str:
        """The candidate's id."""
        return self.about.id if self.about else ""


@dataclass(frozen=True, slots=True)
class StrategyChoice:
    chosen: ScoredPair
    table: tuple[ScoredPair, ...]  # the best pairs and all of the chosen candidate, best first
    considered: int  # pairs


def choose(moment: Moment, detected: DetectedSignals, mode: Mode) -> StrategyChoice:
    """Choose how to continue. There is always a way: a strategy may be about nothing."""
    rows = rows_of(
        moment.eligible,
        {name: weighable(values, moment) for name, values in detected.nodes.items()},
        weighable(detected.talk, moment),
    )
    phase = cast(Phase, detected.talk["meta.interview.phase"])
    factors = moment.methodology.phase_weights.get(mode, {}).get(phase, {})
    weights = weights_of(moment.methodology)
    if moment.gentle:
        weights = tuple(one for one in weights if one.strategy.technique == "open") or weights
    return choose_among(rows, weights, factors)


def choose_among(
    rows: Rows, all_weights: tuple[Weights, ...], factors: dict[str, float]
) -> StrategyChoice:
    scores = _without_barred(score(all_weights, rows, factors), all_weights, rows)
    best = _best(scores)
    row = best[0][2]
    beside = [_place(value[row], strategy, row) for strategy, value in enumerate(scores)]
    kept = sorted(place for place in {*best, *beside} if place[0] < math.inf)
    table = tuple(_pair(place, rows, all_weights, factors) for place in kept)
    return StrategyChoice(table[0], table, len(rows.own) * len(scores))


def _without_barred(
    scores: list[Scores], all_weights: tuple[Weights, ...], rows: Rows
) -> list[Scores]:
    """Return the scores with minus infinity where a candidate bars the strategy's way of asking."""
    barred = [_barred(one) for one in rows.candidates]
    ways = (WAYS.get(one.strategy.technique) for one in all_weights)
    kept = [
        [-math.inf if way in bars else s for s, bars in zip(of, barred, strict=True)]
        for of, way in zip(scores, ways, strict=True)
    ]
    return kept if any(s > -math.inf for of in kept for s in of) else scores


def _barred(candidate: FocusCandidate | None) -> frozenset[Way]:
    """Without a candidate, nothing was said that could be confirmed or denied."""
    return candidate.barred if candidate else frozenset({"validate", "reconcile"})


def _best(scores: list[Scores]) -> list[Place]:
    """Return the best places in order. Only those that may be among them are ranked."""
    everything = sorted(chain.from_iterable(scores), reverse=True)
    least = everything[min(KEPT, len(everything)) - 1] - 2 * 10**-DIGITS
    places = [
        _place(value, strategy, row)
        for strategy, of in enumerate(scores)
        for row, value in enumerate(of)
        if value >= least and value > -math.inf
    ]
    return sorted(places)[:KEPT]


def _place(value: float, strategy: int, row: int) -> Place:
    return -round(value, DIGITS), strategy, row


def _pair(
    place: Place, rows: Rows, all_weights: tuple[Weights, ...], factors: dict[str, float]
) -> ScoredPair:
    score, strategy_place, row = place
    weights, candidate = all_weights[strategy_place], rows.candidates[row]
    return ScoredPair(
        strategy=weights.strategy,
        about=candidate,
        score=-score,
        phase_weight=factors.get(weights.strategy.id, 1.0),
        bonus=bonus(weights.strategy.focus_preference, candidate),
        contributions=tuple(weights.contributions(rows.seen(row))),
    )
