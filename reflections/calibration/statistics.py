"""Means with their intervals, by drawing again and again from what was measured."""

import random
from collections.abc import Callable, Sequence
from typing import TypeVar

from reflections.calibration.types import Comparison, ItemResult, Maker, Mean

Thing = TypeVar("Thing")
DRAWS = 2000
LOW, HIGH = 0.025, 0.975  # what lies between them: 95 %
FEWEST = 2  # things from which an interval can be drawn at all
DIGITS = 6

Figure = Callable[[Sequence[Thing]], float | None]  # None where there is nothing to say


def mean_of(values: Sequence[float], seed: int) -> Mean:
    """Their mean with its interval."""
    return interval(values, _mean, seed)


def interval(things: Sequence[Thing], figure: Figure[Thing], seed: int) -> Mean:
    """A figure over things, and the 95 % interval of a percentile bootstrap over them.

    The same things with the same seed give the same bounds. There are none for fewer than two
    things, nor where the figure can't be worked out.
    """
    value = figure(things) if things else None
    if value is None:
        return Mean(n=len(things))
    low, high = _bounds(things, figure, seed) if len(things) >= FEWEST else (None, None)
    return Mean(n=len(things), value=round(value, DIGITS), low=low, high=high)


def _bounds(
    things: Sequence[Thing], figure: Figure[Thing], seed: int
) -> tuple[float | None, float | None]:
    chance = random.Random(seed)  # noqa: S311  (a draw that can be made again)
    drawn = (figure(chance.choices(things, k=len(things))) for _ in range(DRAWS))
    found = sorted(value for value in drawn if value is not None)
    if len(found) < DRAWS / 2:
        return None, None
    last = len(found) - 1
    low, high = found[round(LOW * last)], found[round(HIGH * last)]
    return round(low, DIGITS), round(high, DIGITS)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


# -- of a questionnaire


def accuracy(items: Sequence[ItemResult], maker: Maker, seed: int) -> Mean:
    """The share of items on which that one chose what the participant did."""
    return interval([float(_right(one, maker)) for one in items], _mean, seed)


def closeness(items: Sequence[ItemResult], maker: Maker, seed: int) -> Mean:
    """On ranges: 1 − |difference| ÷ width, as a mean. Nothing chosen is as far off as can be."""
    on_ranges = [one for one in items if one.item.scale]
    return interval([_closeness(one, maker) for one in on_ranges], _mean, seed)


def consistency(items: Sequence[ItemResult], seed: int) -> Mean:
    """The share of items answered twice that the participant answered alike."""
    return interval([float(_alike(one)) for one in twice(items)], _mean, seed)


def normalised(items: Sequence[ItemResult], maker: Maker, seed: int) -> Mean:
    """Accuracy ÷ consistency, both on the items answered twice; none for a consistency of 0."""
    pairs = [(_right(one, maker), _alike(one)) for one in twice(items)]
    return interval(pairs, _ratio, seed)


def twice(items: Sequence[ItemResult]) -> list[ItemResult]:
    """The items that the participant answered twice."""
    return [one for one in items if one.item.again]


def compared(figure: Callable[[Maker], Mean]) -> Comparison:
    return Comparison(replica=figure("replica"), notes=figure("notes"), average=figure("average"))


def _right(one: ItemResult, maker: Maker) -> bool:
    return one.chosen[maker].option == one.item.answer


def _alike(one: ItemResult) -> bool:
    return one.item.again == one.item.answer


def _closeness(one: ItemResult, maker: Maker) -> float:
    option, width = one.chosen[maker].option, len(one.item.options) - 1
    if not option:
        return 0.0
    return 1 - abs(int(option) - int(one.item.answer)) / width


def _ratio(pairs: Sequence[tuple[bool, bool]]) -> float | None:
    consistent = sum(alike for _, alike in pairs)
    return sum(right for right, _ in pairs) / consistent if consistent else None
