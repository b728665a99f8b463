"""The scores of all pairs of strategy and candidate.

Thousands of pairs are scored at every turn, so nothing is added up twice: what is the same in all
rows counts once, rows that differ in nothing but numbers count together, and numbers go by columns.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from interviews.protocols.laddering.signals.base import Value, Values
from interviews.protocols.laddering.signals.moment import FocusCandidate
from plans.protocols.laddering.schema.methodology import Focus, Methodology, Strategy
from plans.protocols.laddering.schema.vocabulary import Term, parse_condition, registered_terms


@dataclass(frozen=True, slots=True)
class Contribution:
    """What one signal adds to a score."""

    signal: str
    value: Value  # as it is weighed
    weight: float
    points: float


@dataclass(frozen=True, slots=True)
class Weights:
    """A strategy's weights in the order of the signals' names, read once to score pairs fast."""

    strategy: Strategy
    values: Mapping[str, Mapping[Value, float]]  # signal -> value -> weight
    numbers: Mapping[str, float]  # signal -> what its number is multiplied with

    def contributions(self, seen: Values) -> list[Contribution]:
        matched = [
            Contribution(name, seen[name], by_value[seen[name]], by_value[seen[name]])
            for name, by_value in self.values.items()
            if seen.get(name) in by_value
        ]
        numbers = [
            Contribution(name, value, weight, weight * value)
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
    table = _group_rows(all_weights, rows)
    return [_scores(one, table, factors.get(one.strategy.id, 1.0)) for one in all_weights]


@dataclass(frozen=True, slots=True)
class _RowGroup:
    """Rows that differ in nothing but their numbers."""

    values: Values  # that differ from row to row, without numbers
    bonuses: Mapping[Focus, float]


@dataclass(frozen=True, slots=True)
class _Table:
    talk: Values  # what is the same in all rows
    groups: Sequence[_RowGroup]
    group_of: Sequence[int]  # each row's place among the groups
    numbers: Mapping[str, list[float]]  # that differ from row to row


def _group_rows(all_weights: Sequence[Weights], rows: Rows) -> _Table:
    values = _varying(rows, {name for one in all_weights for name in one.values})
    numbers = _varying(rows, {name for one in all_weights for name in one.numbers})
    focuses = sorted({one.strategy.focus_preference for one in all_weights})
    bonuses = [[bonus(focus, one) for one in rows.candidates] for focus in focuses]
    marks = list(zip(*values.values(), *bonuses, strict=True))
    place = {mark: i for i, mark in enumerate(dict.fromkeys(marks))}
    groups = [
        _RowGroup(
            {name: v for name, v in zip(values, mark, strict=False) if v is not None},
            dict(zip(focuses, mark[len(values) :], strict=True)),
        )
        for mark in place
    ]
    return _Table(
        talk={k: v for k, v in rows.talk.items() if k not in values and k not in numbers},
        groups=groups,
        group_of=[place[mark] for mark in marks],
        numbers={
            name: [value if isinstance(value, int | float) else 0.0 for value in column]
            for name, column in numbers.items()
        },
    )


def _varying(rows: Rows, names: Iterable[str]) -> dict[str, list[Value | None]]:
    varying = sorted(name for name in names if any(name in own for own in rows.own))
    return {name: [own.get(name, rows.talk.get(name)) for own in rows.own] for name in varying}


def _scores(weights: Weights, table: _Table, factor: float) -> Scores:
    common = _points(weights, table.talk)
    of_group = [common + _points(weights, group.values) for group in table.groups]
    sums = [of_group[group] for group in table.group_of]
    for name, weight in weights.numbers.items():
        if name in table.numbers:
            sums = [s + weight * n for s, n in zip(sums, table.numbers[name], strict=True)]
    bonuses = [group.bonuses[weights.strategy.focus_preference] for group in table.groups]
    return [  # the phase weight counts on positive sums only
        (s * factor if s > 0 else s) + bonuses[group]
        for s, group in zip(sums, table.group_of, strict=True)
    ]


def _points(weights: Weights, seen: Values) -> float:
    return sum(part.points for part in weights.contributions(seen))
