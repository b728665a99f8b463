"""All pairs of strategy and candidate -> their scores.

Thousands of pairs are scored at every turn, so nothing is added up twice: what is the same in all
rows counts once, rows that differ in nothing but numbers count together, and numbers go by columns.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from interviews.protocols.laddering.signals.base import Value, Values
from interviews.protocols.laddering.signals.moment import FocusCandidate
from interviews.protocols.laddering.strategy_choice.preference import bonus
from interviews.protocols.laddering.strategy_choice.weights import Weights
from plans.protocols.laddering.schema.methodology import Focus

Scores = list[float]  # one for each row


@dataclass(frozen=True, slots=True)
class Rows:
    """The candidates with their signals; the last row is no candidate at all.

    `candidates` and `own` belong together; `talk` holds for every row that has no value of its own.
    """

    candidates: tuple[FocusCandidate | None, ...]
    own: tuple[Values, ...]
    talk: Values

    def seen(self, row: int) -> Values:
        """A row's signals with those of the talk; its own win."""
        return {**self.talk, **self.own[row]}


def rows_of(candidates: Iterable[FocusCandidate], own: Mapping[str, Values], talk: Values) -> Rows:
    """The rows in one order, however the candidates come.

    Nodes first, those of the last answer before all, then elements that nobody has spoken of in
    the concept's order, then none.
    """
    listed = sorted(candidates, key=_place)
    nothing: Values = {}
    return Rows((*listed, None), (*(own.get(one.id, nothing) for one in listed), nothing), talk)


def _place(candidate: FocusCandidate) -> tuple[bool, int, int, str]:
    created = 0 if candidate.uncovered else candidate.state.created
    return candidate.uncovered, -created, candidate.place, candidate.id


def score(all_weights: Sequence[Weights], rows: Rows, factors: Mapping[str, float]) -> list[Scores]:
    """Each strategy's scores; `factors` are the phase weights, 1 where none is named."""
    table = _table(all_weights, rows)
    return [_scores(one, table, factors.get(one.strategy.id, 1.0)) for one in all_weights]


@dataclass(frozen=True, slots=True)
class _RowGroup:
    """Rows that differ in nothing but their numbers."""

    values: Values  # that differ from row to row, without numbers
    bonuses: Mapping[Focus, float]


@dataclass(frozen=True, slots=True)
class _Table:
    """The rows by columns: of which kind each is, and its numbers."""

    talk: Values  # what is the same in all rows
    kinds: tuple[_RowGroup, ...]
    kind_of: tuple[int, ...]  # each row's place among the kinds
    numbers: Mapping[str, list[float]]  # that differ from row to row


def _table(all_weights: Sequence[Weights], rows: Rows) -> _Table:
    values = _varying(rows, {name for one in all_weights for name in one.values})
    numbers = _varying(rows, {name for one in all_weights for name in one.numbers})
    focuses = sorted({one.strategy.focus_preference for one in all_weights})
    kinds, kind_of = _kinds(rows, values, focuses)
    common = {k: v for k, v in rows.talk.items() if k not in values and k not in numbers}
    return _Table(common, kinds, kind_of, {name: _numbers(rows, name) for name in numbers})


def _varying(rows: Rows, names: Iterable[str]) -> list[str]:
    """Those of which some row has a value of its own."""
    return sorted(name for name in names if any(name in own for own in rows.own))


def _column(rows: Rows, name: str) -> list[Value | None]:
    common = rows.talk.get(name)
    return [own.get(name, common) for own in rows.own]


def _numbers(rows: Rows, name: str) -> list[float]:
    return [value if isinstance(value, int | float) else 0.0 for value in _column(rows, name)]


def _kinds(
    rows: Rows, names: list[str], focuses: list[Focus]
) -> tuple[tuple[_RowGroup, ...], tuple[int, ...]]:
    """Each kind of row once, and of which kind each row is."""
    columns = [_column(rows, name) for name in names]
    bonuses = [[bonus(focus, one) for one in rows.candidates] for focus in focuses]
    marks = list(zip(*columns, *bonuses, strict=True))
    place = {mark: i for i, mark in enumerate(dict.fromkeys(marks))}
    kinds = tuple(_kind(mark, names, focuses) for mark in place)
    return kinds, tuple(place[mark] for mark in marks)


def _kind(mark: tuple[Any, ...], names: list[str], focuses: list[Focus]) -> _RowGroup:
    values = dict(zip(names, mark, strict=False))
    bonuses = dict(zip(focuses, mark[len(names) :], strict=True))
    return _RowGroup({name: value for name, value in values.items() if value is not None}, bonuses)


def _scores(weights: Weights, table: _Table, factor: float) -> Scores:
    same = _points(weights, table.talk)
    of_kind = [same + _points(weights, kind.values) for kind in table.kinds]
    sums = [of_kind[kind] for kind in table.kind_of]
    for name, weight in weights.numbers.items():
        if name in table.numbers:
            sums = [s + weight * n for s, n in zip(sums, table.numbers[name], strict=True)]
    bonuses = [kind.bonuses[weights.strategy.focus_preference] for kind in table.kinds]
    return [  # the phase weight counts on positive sums only
        (s * factor if s > 0 else s) + bonuses[kind]
        for s, kind in zip(sums, table.kind_of, strict=True)
    ]


def _points(weights: Weights, seen: Values) -> float:
    return sum(part.points for part in weights.contributions(seen))
