"""Counters of limits in this process's memory: as many as there is room for, and no more."""

import time
from collections import OrderedDict
from threading import Lock
from typing import NamedTuple

from limits.storage import Storage

MOST = 20_000  # counters; a flood from more addresses than that forgets the oldest


class _Counter(NamedTuple):
    number: int
    until: float  # time.time()


class CounterStore(Storage):
    """Windows that are counted, for `limits`. Without threads of its own, unlike the library's."""

    STORAGE_SCHEME = ["bounded"]
    base_exceptions = ValueError

    def __init__(self, most: int = MOST) -> None:
        super().__init__()
        self._most = most
        self._counters: OrderedDict[str, _Counter] = OrderedDict()
        self._lock = Lock()

    def incr(self, key: str, expiry: int, amount: int = 1) -> int:
        """Counts, and gives the count; a window that is over begins anew."""
        with self._lock:
            old = self._alive(key) or _Counter(0, time.time() + expiry)
            self._counters[key] = _Counter(old.number + amount, old.until)
            while len(self._counters) > self._most:
                self._counters.popitem(last=False)
            return old.number + amount

    def get(self, key: str) -> int:
        """The count of the window that is open."""
        with self._lock:
            found = self._alive(key)
            return found.number if found else 0

    def get_expiry(self, key: str) -> float:
        """When the window ends, as time.time() counts."""
        with self._lock:
            found = self._alive(key)
            return found.until if found else time.time()

    def check(self) -> bool:
        return True

    def reset(self) -> int:
        """Forgets everything; how many counters that were."""
        with self._lock:
            had = len(self._counters)
            self._counters.clear()
            return had

    def clear(self, key: str) -> None:
        with self._lock:
            self._counters.pop(key, None)

    def _alive(self, key: str) -> _Counter | None:
        """The counter, unless its window is over."""
        found = self._counters.get(key)
        if found and found.until <= time.time():
            del self._counters[key]
            return None
        return found
