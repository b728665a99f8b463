"""Means with bootstrap intervals, and the figures of a questionnaire."""

import random
from collections.abc import Callable, Sequence
from statistics import fmean
from typing import TypeVar

from reflections.calibration.types import MAKERS, Comparison, ItemResult, Maker, Mean

T = TypeVar("T")
DRAWS = 2000
LOW, HIGH = 0.025, 0.975  # quantiles of a 95 % interval
FEWEST = 2  # things from which an interval can be drawn at all
DIGITS = 6

Figure = Callable[[Sequence[T]], float | None]  # None where there is nothing to say


def mean_of(values: Sequence[float], seed: int) -> Mean:
    return bootstrap(values, fmean, seed)


def bootstrap(things: Sequence[T], figure: Figure[T], seed: int) -> Mean:
    """Return a figure over things with its 95 % interval by a percentile bootstrap.

    The same things with the same seed give the same bounds. There are none for fewer than two
    things, or if the figure can't be computed.
    """
    value = figure(things) if things else None
    if value is None:
        return Mean(n=len(things))
    low, high = _bounds(things, figure, seed) if len(things) >= FEWEST else (None, None)
    return Mean(n=len(things), value=round(value, DIGITS), low=low, high=high)


def _bounds(things: Sequence[T], figure: Figure[T], seed: int) -> tuple[float | None, float | None]:
    rng = random.Random(seed)  # noqa: S311  (a draw that can be made again)
    drawn = (figure(rng.choices(things, k=len(things))) for _ in range(DRAWS))
    values = sorted(value for value in drawn if value is not None)
    if len(values) < DRAWS / 2:
        return None, None
    last = len(values) - 1
    low, high = values[round(LOW * last)], values[round(HIGH * last)]
    return round(low, DIGITS), round(high, DIGITS)


# -- questionnaires


def accuracy(items: Sequence[ItemResult], maker: Maker, seed: int) -> Mean:
    return mean_of([float(_right(one, maker)) for one in items], seed)


def closeness(items: Sequence[ItemResult], maker: Maker, seed: int) -> Mean:
    """Return the mean of 1 − |difference| ÷ width over ranges; no choice counts as 0."""
    return mean_of([_closeness(one, maker) for one in items if one.item.scale], seed)


def consistency(items: Sequence[ItemResult], seed: int) -> Mean:
    """Return the share of items answered twice that were answered alike."""
    return mean_of([float(_alike(one)) for one in answered_twice(items)], seed)


def normalised(items: Sequence[ItemResult], maker: Maker, seed: int) -> Mean:
    """Return accuracy ÷ consistency on the items answered twice; none if consistency is 0."""
    pairs = [(_right(one, maker), _alike(one)) for one in answered_twice(items)]
    return bootstrap(pairs, ratio, seed)


def answered_twice(items: Sequence[ItemResult]) -> list[ItemResult]:
    return [one for one in items if one.item.again]


def compare(figure: Callable[[Maker], Mean]) -> Comparison:
    return {maker: figure(maker) for maker in MAKERS}


def _right(one: ItemResult, maker: Maker) -> bool:
    return one.chosen[maker].option == one.item.answer


def _alike(one: ItemResult) -> bool:
    return one.item.again == one.item.answer


def _closeness(one: ItemResult, maker: Maker) -> float:
    option, width = one.chosen[maker].option, len(one.item.options) - 1
    if not option:
        return 0.0
    return 1 - abs(int(option) - int(one.item.answer)) / width


def ratio(pairs: Sequence[tuple[float, float]]) -> float | None:
    whole = sum(b for _, b in pairs)
    return sum(a for a, _ in pairs) / whole if whole else None
