"""Room for the frames of Python's calls.

CPython keeps frames in pieces of 16 KB. 3.11, 3.12 and early releases of 3.13 and 3.14 ask the
system for a piece, and give it back, each time that a call goes from one to the next (gh-142183 of
python/cpython): a thousand times for a page of the admin, an eighth of its processor time.
"""

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")
# The frame takes 1 MB and a little; its piece is of 2 MB, and what is left is for the calls in it.
# The system gives memory only for what is used of that.
VALUES = 2**17


def with_room(function: Callable[P, T]) -> Callable[P, T]:
    """Return the same function, all of whose calls find room in one piece."""

    def call(*args: P.args, **kwargs: P.kwargs) -> T:
        return function(*args, **kwargs)

    call.__code__ = call.__code__.replace(co_stacksize=VALUES)
    return wraps(function)(call)
