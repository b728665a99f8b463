"""How work grows with what it is given, which is the same on a slow machine and on a busy one."""

import time
from collections.abc import Callable

TIMES = 4  # as much is given


def growth(work: Callable[[str], object], piece: str, length: int) -> float:
    """Return how many times as long the work takes for a text four times as long.

    What grows in a line gives 4, what grows with the square 16.
    """
    short = _cost(work, (piece * length)[: length // TIMES])
    return _cost(work, (piece * length)[:length]) / short


def _cost(work: Callable[[str], object], text: str) -> float:
    """Return seconds of work, at best; what else runs on the machine isn't counted."""
    return min(_once(work, text) for _ in range(3)) + 0.002


def _once(work: Callable[[str], object], text: str) -> float:
    began = time.thread_time()
    work(text)
    return time.thread_time() - began
