"""Things that belong to one event loop: connections, semaphores."""

import asyncio
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class PerLoop(Generic[T]):
    """One `make()` for each running loop; what belongs to closed loops is let go."""

    def __init__(self, make: Callable[[], T]) -> None:
        self._make = make
        self._kept: dict[asyncio.AbstractEventLoop, T] = {}

    def get(self) -> T:
        loop = asyncio.get_running_loop()
        if loop not in self._kept:
            self._forget_closed()
            self._kept[loop] = self._make()
        return self._kept[loop]

    def _forget_closed(self) -> None:
        for loop in [loop for loop in list(self._kept) if loop.is_closed()]:
            self._kept.pop(loop, None)
