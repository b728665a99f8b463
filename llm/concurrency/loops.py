import asyncio
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class PerLoop(Generic[T]):
    """One `make()` per running event loop, for things such as connections and semaphores."""

    def __init__(self, make: Callable[[], T]) -> None:
        self._make = make
        self._items: dict[asyncio.AbstractEventLoop, T] = {}

    def get(self) -> T:
        loop = asyncio.get_running_loop()
        if loop not in self._items:
            for closed in [known for known in list(self._items) if known.is_closed()]:
                self._items.pop(closed, None)
            self._items[loop] = self._make()
        return self._items[loop]
