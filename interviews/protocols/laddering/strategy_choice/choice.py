"""The best pair of strategy and candidate, and a table of the best with the reasons.

Ties go to the strategy that stands first in the methodology's file, then to the candidate that
came up last, so the same talk always goes the same way.
"""

from dataclasses import dataclass
from itertools import chain

from interviews.protocols.laddering.signals.detection import DetectedSignals, weighable
from interviews.protocols.laddering.signals.moment import Moment
from interviews.protocols.laddering.strategy_choice.preference import bonus
from interviews.protocols.laddering.strategy_choice.scores import Rows, Scores, rows_of, score
from interviews.protocols.laddering.strategy_choice.weights import Contribution, Weights, weights_of
from plans.protocols.laddering.schema.methodology import Mode, Phase

KEPT = 50  # of the best pairs, besides those of the chosen candidate
DIGITS = 9  # sums that differ by less are a tie
Place = tuple[float, int, int]  # score, negative; strategy; row


@dataclass(frozen=True, slots=True)
class ScoredPair:
    """A strategy at a candidate, with its score and where that comes from.

    score = sum of the contributions' points (x phase weight, if that sum is positive) + bonus
    """

    strategy: str
    candidate: str  # id; empty: nothing in particular
    score: float
    phase_weight: float
    bonus: float
    contributions: tuple[Contribution, ...]


@dataclass(frozen=True, slots=True)
class StrategyChoice:
    """The chosen pair; the best pairs and all of the chosen candidate, best first."""

    chosen: ScoredPair
    table: tuple[ScoredPair, ...]
    considered: int  # pairs


def choose(moment: Moment, detected: DetectedSignals, mode: Mode) -> StrategyChoice:
    """How to go on at this moment. There is always a way: a strategy may be about nothing."""
    rows = rows_of(
        moment.candidates,
        {name: weighable(values, moment) for name, values in detected.nodes.items()},
        weighable(detected.talk, moment),
    )
    return chosen_among(rows, weights_of(moment.methodology), _factors(moment, detected, mode))


def _factors(moment: Moment, detected: DetectedSignals, mode: Mode) -> dict[str, float]:
    value = detected.talk["meta.interview.phase"]
    phase: Phase = "early" if value == "early" else "mid" if value == "mid" else "late"
    return dict(moment.methodology.phase_weights.get(mode, {}).get(phase, {}))


def chosen_among(
    rows: Rows, all_weights: tuple[Weights, ...], factors: dict[str, float]
) -> StrategyChoice:
    """The best pair of these rows and strategies. `factors` are the phase weights."""
    scores = score(all_weights, rows, factors)
    best = _best(scores)
    row = best[0][2]
    beside = [_place(value[row], strategy, row) for strategy, value in enumerate(scores)]
    kept = sorted({*best, *beside})
    table = tuple(_pair(place, rows, all_weights, factors) for place in kept)
    return StrategyChoice(table[0], table, len(rows.own) * len(scores))


def _best(scores: list[Scores]) -> list[Place]:
    """The best places in order. Only those that may be among them are ranked."""
    everything = sorted(chain.from_iterable(scores), reverse=True)
    least = everything[min(KEPT, len(everything)) - 1] - 2 * 10**-DIGITS
    places = [
        _place(value, strategy, row)
        for strategy, of in enumerate(scores)
        for row, value in enumerate(of)
        if value >= least
    ]
    return sorted(places)[:KEPT]


def _place(value: float, strategy: int, row: int) -> Place:
    return -round(value, DIGITS), strategy, row


def _pair(
    place: Place, rows: Rows, all_weights: tuple[Weights, ...], factors: dict[str, float]
) -> ScoredPair:
    strategy, candidate = all_weights[place[1]].strategy, rows.candidates[place[2]]
    return ScoredPair(
        strategy=strategy.id,
        candidate=candidate.id if candidate else "",
        score=-place[0],
        phase_weight=factors.get(strategy.id, 1.0),
        bonus=bonus(strategy.focus_preference, candidate),
        contributions=tuple(all_weights[place[1]].contributions(rows.seen(place[2]))),
    )
