"""The scores of all pairs of strategy and candidate, of which there are thousands at every turn."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import add

from interviews.protocols.laddering.signals.base import Value, Values
from interviews.protocols.laddering.signals.moment import FocusCandidate
from plans.protocols.laddering.schema.methodology import Focus, Methodology, Strategy
from plans.protocols.laddering.schema.vocabulary import Term, parse_condition, registered_terms


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
