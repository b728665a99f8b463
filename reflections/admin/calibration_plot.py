"""The figures of a calibration as strips that a template draws: dots, means, intervals.

Positions are percentages of the strip's width, so that a strip fits every screen and its text keeps
its size.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil

from reflections.calibration.descriptions import NAMES
from reflections.calibration.types import MAKERS, Comparison, HeldOutQuestion, Maker, Mean

HEIGHTS: dict[Maker, int] = {"replica": 10, "notes": 22, "average": 34}  # y of the marks, in pixels
MIDDLE = 12


@dataclass(frozen=True)
class Mark:
    kind: str  # the maker: decides shape and colour
    x: str
    y: int
    words: str
    low: str = ""  # the interval's ends
    high: str = ""


@dataclass(frozen=True)
class Strip:
    label: str
    marks: tuple[Mark, ...]
    figure: str = ""  # the text beside it
    tall: bool = False  # three marks below each other


@dataclass(frozen=True)
class PlotPart:
    title: str
    strips: tuple[Strip, ...]
    ticks: tuple[tuple[str, str], ...]  # position and label


def part_of(title: str, figures: Iterable[tuple[str, str, Mean]]) -> PlotPart:
    """Return a plot of means with their intervals; `figures` are (kind, label, mean)."""
    figures = list(figures)
    top = _scale_end(mean for _, _, mean in figures)
    strips = tuple(_mean_strip(kind, label, mean, top) for kind, label, mean in figures)
    return PlotPart(title, strips, _ticks(top))


def compared_part(title: str, compared: Comparison) -> PlotPart:
    return part_of(title, ((maker, NAMES[maker], compared[maker]) for maker in MAKERS))


def questions_part(title: str, questions: Sequence[HeldOutQuestion]) -> PlotPart:
    strips = tuple(_question_strip(number, one) for number, one in enumerate(questions, 1))
    return PlotPart(title, strips, _ticks(1.0))


def in_words(mean: Mean) -> str:
    """Return such as “0.62 (0.45 to 0.78)”."""
    if mean.value is None:
        return "none"
    bounds = "" if mean.low is None else f" ({mean.low:.2f} to {mean.high or 0.0:.2f})"
    return f"{mean.value:.2f}{bounds}"


def _mean_strip(kind: str, label: str, mean: Mean, top: float) -> Strip:
    if mean.value is None:
        return Strip(label, (), in_words(mean))
    bounds = ("", "")
    if mean.low is not None and mean.high is not None:
        bounds = (_percent(mean.low, top), _percent(mean.high, top))
    mark = Mark(kind, _percent(mean.value, top), MIDDLE, f"{label}: {in_words(mean)}", *bounds)
    return Strip(label, (mark,), in_words(mean))


def _question_strip(number: int, one: HeldOutQuestion) -> Strip:
    label = f"{number}. {one.text}"
    if not one.counts:
        return Strip(label, (), "not scored", tall=True)
    marks = tuple(_dot(maker, one.given[maker].agreement or 0.0) for maker in MAKERS)
    return Strip(label, marks, tall=True)


def _dot(maker: Maker, agreement: float) -> Mark:
    words = f"{NAMES[maker]}: {agreement:g}"
    return Mark(maker, _percent(agreement, 1.0), HEIGHTS[maker], words)


def _scale_end(means: Iterable[Mean]) -> float:
    """Return the right end of the scale: 1, or the next half above all figures."""
    most = max((mean.high or mean.value or 0.0 for mean in means), default=0.0)
    return max(1.0, ceil(2 * most) / 2)


def _ticks(top: float) -> tuple[tuple[str, str], ...]:
    return tuple((_percent(i / 2, top), f"{i / 2:g}") for i in range(round(top * 2) + 1))


def _percent(value: float, top: float) -> str:
    share = min(1.0, max(0.0, value / top))
    return f"{share * 100:.2f}%"
