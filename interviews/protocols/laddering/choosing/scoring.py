"""All pairs of strategy and candidate -> their scores.

The pairs form a table that is filled by columns: a signal's values at all candidates are looked up
once and then serve every strategy, and what is the same everywhere is added once.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from interviews.protocols.laddering.choosing.preferring import bonus
from interviews.protocols.laddering.choosing.weights import Weights
from interviews.protocols.laddering.signals.base import Value, Values
from interviews.protocols.laddering.signals.moment import Candidate

Scores = list[float]  # one for each row


@dataclass(frozen=True, slots=True)
class Rows:
    """The candidates with their signals; the last row is no candidate at all.

    `candidates` and `own` belong together; `talk` holds for every row that has no value of its own.
    """

    candidates: tuple[Candidate | None, ...]
    own: tuple[Values, ...]
    talk: Values

    def seen(self, row: int) -> Values:
        """A row's signals with those of the talk; its own win."""
        return {**self.talk, **self.own[row]}


def rows_of(candidates: Iterable[Candidate], own: Mapping[str, Values], talk: Values) -> Rows:
    """The rows in one order, however the candidates come.

    Nodes first, the newest of them first, then elements that nobody has spoken of, then none.
    """
    listed = sorted(candidates, key=_place)
    nothing: Values = {}
    return Rows((*listed, None), (*(own.get(one.id, nothing) for one in listed), nothing), talk)


def _place(candidate: Candidate) -> tuple[bool, int, int, str]:
    name = candidate.id
    return candidate.uncovered, -candidate.state.created, len(name), name


def score(all_weights: Sequence[Weights], rows: Rows, factors: Mapping[str, float]) -> list[Scores]:
    """Each strategy's scores; `factors` are the phase weights, 1 where none is named."""
    names = {name for weights in all_weights for name in weights.signals}
    columns = {name: _column(rows, name) for name in names if _varies(rows, name)}
    return [
        _scores(weights, rows, columns, factors.get(weights.strategy.id, 1.0))
        for weights in all_weights
    ]


def _varies(rows: Rows, name: str) -> bool:
    return any(name in own for own in rows.own)


def _column(rows: Rows, name: str) -> list[Value | None]:
    common = rows.talk.get(name)
    return [own.get(name, common) for own in rows.own]


def _scores(
    weights: Weights, rows: Rows, columns: Mapping[str, list[Value | None]], factor: float
) -> Scores:
    common = {name: value for name, value in rows.talk.items() if name not in columns}
    same = sum(part.points for part in weights.contributions(common))
    sums = [same] * len(rows.own)
    for name, by_value in weights.values.items():
        if name in columns:
            sums = [s + by_value.get(v, 0.0) for s, v in zip(sums, columns[name], strict=True)]
    for name, weight in weights.numbers.items():
        if name in columns:
            sums = [s + weight * (v or 0.0) for s, v in zip(sums, columns[name], strict=True)]
    return _finished(sums, rows, weights, factor)


def _finished(sums: Scores, rows: Rows, weights: Weights, factor: float) -> Scores:
    """With the phase weight, on positive sums only, and the bonus of preferred candidates."""
    focus = weights.strategy.focus_preference
    return [
        (s * factor if s > 0 else s) + bonus(focus, one)
        for s, one in zip(sums, rows.candidates, strict=True)
    ]
