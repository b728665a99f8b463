"""Calls that find room cost no memory of the system's."""

from resource import RUSAGE_THREAD, getrusage
from threading import Thread

import pytest

from interviewsite.http.in_loop import with_room

DEPTHS = range(1, 400)
TIMES = 100


def go_down(depth: int) -> None:
    """Calls itself so deep, and from there a function again and again."""
    if depth:
        go_down(depth - 1)
    else:
        for _ in range(TIMES):
            leaf()


def leaf() -> None:
    one = two = three = four = None
    del one, two, three, four


def at_every_depth() -> None:
    for depth in DEPTHS:
        go_down(depth)


def faults(function) -> int:
    """How often the system had to find memory while a new thread did it."""
    found = []

    def count() -> None:
        function()
        before = getrusage(RUSAGE_THREAD).ru_minflt
        function()
        found.append(getrusage(RUSAGE_THREAD).ru_minflt - before)

    thread = Thread(target=count)
    thread.start()
    thread.join()
    return found[0]


def test_calls_cross_no_border():
    assert faults(with_room(at_every_depth)) < len(DEPTHS)


def test_it_gives_and_raises_what_the_function_does():
    assert with_room(divmod)(7, 2) == (3, 1)
    with pytest.raises(ZeroDivisionError):
        with_room(divmod)(7, 0)
    assert with_room(at_every_depth).__name__ == "at_every_depth"
