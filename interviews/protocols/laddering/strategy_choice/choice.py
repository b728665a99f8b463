"""The best pair of strategy and candidate, and a table of the best with the reasons.

Ties go to the strategy that stands first in the methodology's file, then to the candidate that
came up last, then to the highest rung, so the same interview always continues the same way. What a
candidate bars (up from the top, the reason for what has one) is no choice at all.
"""

import math
from dataclasses import dataclass
from itertools import chain
from typing import cast

from interviews.protocols.laddering.signals.base import DetectedSignals, weighable
from interviews.protocols.laddering.signals.moment import WAYS, FocusCandidate, Moment, Way
from interviews.protocols.laddering.strategy_choice.scores import (
    Contribution,
    Rows,
    Scores,
    Weights,
    bonus,
    rows_of,
    score,
    weights_of,
)
from plans.protocols.laddering.schema.methodology import Mode, Phase, Strategy

KEPT = 50  # of the best pairs, besides those of the chosen candidate
DIGITS = 9  # sums that differ by less are a tie
Place = tuple[float, int, int]  # score, negative; strategy; row


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
