"""Rate-limit counters in this process's memory, at most MOST of them."""

import time
from collections import OrderedDict
from threading import Lock
from typing import NamedTuple

from limits.storage import Storage

MOST = 20_000  # counters; beyond that the oldest are dropped


class _Counter(NamedTuple):
    number: int
    until: float  # time.time()


class CounterStore(Storage):
    """A storage for `limits` with bounded memory and, unlike the library's, no threads."""

    STORAGE_SCHEME = ["bounded"]
    base_exceptions = ValueError

    def __init__(self) -> None:
        super().__init__()
        self._counters: OrderedDict[str, _Counter] = OrderedDict()
        self._lock = Lock()

    def incr(self, key: str, expiry: int, amount: int = 1) -> int:
        with self._lock:
            old = self._open_window(key) or _Counter(0, time.time() + expiry)
            self._counters[key] = _Counter(old.number + amount, old.until)
            while len(self._counters) > MOST:
                self._counters.popitem(last=False)
            return old.number + amount

    def get(self, key: str) -> int:
        with self._lock:
            counter = self._open_window(key)
            return counter.number if counter else 0

    def get_expiry(self, key: str) -> float:
        with self._lock:
            counter = self._open_window(key)
            return counter.until if counter else time.time()

    def check(self) -> bool:
        return True

    def reset(self) -> int:
        with self._lock:
            count = len(self._counters)
            self._counters.clear()
            return count

    def clear(self, key: str) -> None:
        with self._lock:
            self._counters.pop(key, None)

    def _open_window(self, key: str) -> _Counter | None:
        counter = self._counters.get(key)
        if counter and counter.until <= time.time():
            del self._counters[key]
            return None
        return counter
