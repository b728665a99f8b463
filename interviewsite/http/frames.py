"""Memory for the frames of Python's calls.

CPython keeps frames in chunks of 16 KB. 3.11, 3.12 and early releases of 3.13 and 3.14 get a chunk
from the system, and free it, each time a call crosses from one to the next (gh-142183 of
python/cpython): a thousand times for a page of the admin, an eighth of its processor time.
"""

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")
# The frame takes just over 1 MB, so its chunk has 2 MB, and the rest is left for the calls within.
# The system provides memory only for what is used.
VALUES = 2**17


def with_room(function: Callable[P, T]) -> Callable[P, T]:
    """Return the function, wrapped so that all calls within it fit in one chunk."""

    def call(*args: P.args, **kwargs: P.kwargs) -> T:
        return function(*args, **kwargs)

    call.__code__ = call.__code__.replace(co_stacksize=VALUES)
    return wraps(function)(call)
