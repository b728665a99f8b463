"""What a bench finds, and how it is shown."""

import json
import statistics
from collections.abc import Sequence
from dataclasses import asdict, dataclass

WIDTH = 67  # of a name


@dataclass(frozen=True)
class Figure:
    """One figure: what it is, its value, and what it should be."""

    name: str
    value: float
    unit: str
    aim: str = ""


def median(values: Sequence[float]) -> float:
    """The middle one."""
    return statistics.median(values)


def p95(values: Sequence[float]) -> float:
    """The value that 95 of 100 stay under."""
    return sorted(values)[min(len(values) - 1, int(len(values) * 0.95))]


def table(figures: Sequence[Figure]) -> str:
    """A table for people."""
    rows = (f"{f.name:<{WIDTH}}  {f.value:>9.3f} {f.unit:<8} {f.aim}" for f in figures)
    return "\n".join(rows)


def as_json(figures: Sequence[Figure]) -> str:
    """The same for programs."""
    return json.dumps([asdict(figure) for figure in figures], indent=1)
