"""What the fake provider knows: its pace, the faults that wait, the requests that came."""

import random
import threading
import zlib
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.fake_provider.faults import NONE, Fault, fault, rates

KEPT = 1_000  # requests, and cached prefixes


@dataclass
class Served:
    """One request and what became of it."""

    wire: str
    schema: str
    body: dict[str, Any]
    headers: dict[str, str]
    fault: str
    peer: str = ""
    complete: bool = False
    aborted: bool = False


@dataclass
class State:
    """Shared by the server and the test that drives it, hence the lock."""

    ttft: float = 0.0
    rate: float = 10_000.0  # tokens a second
    together: int = 1  # tokens in one event; more of them cost the SDKs less
    seed: int = 1
    requests: deque[Served] = field(default_factory=lambda: deque(maxlen=KEPT))
    total: int = 0
    open: int = 0
    models_status: int = 200  # of the reply to the question for models
    hurried: int = 0  # times that streams were told to hurry
    most_open: int = 0
    _queue: list[Fault] = field(default_factory=list)
    _rates: list[tuple[Fault, float]] = field(default_factory=list)
    _replies: dict[str, deque[Any]] = field(default_factory=dict)
    _prefixes: dict[int, None] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        self._pace = self.ttft, self.rate, self.together

    def queue(self, *faults: str) -> None:
        """The next fitting requests get these, in order (`ok` for none)."""
        with self._lock:
            self._queue += [fault(one) for one in faults]

    def set_rates(self, written: str) -> None:
        """From now on requests get these by chance, e.g. `overloaded=0.05,cut:3=0.02`."""
        with self._lock:
            self._rates = rates(written)

    def reply(self, schema: str, *values: Any) -> None:
        """The next requests for that schema ("" for text) are answered with these values."""
        with self._lock:
            self._replies.setdefault(schema, deque()).extend(values)

    def hurry(self) -> None:
        """Streams that drip now send what is left of them at once."""
        self.hurried += 1

    def reset(self) -> None:
        """Forget requests, faults and replies; go on at the pace that it was made with."""
        self.hurry()
        with self._lock:
            self.ttft, self.rate, self.together = self._pace
            self.requests.clear()
            self._queue.clear()
            self._rates.clear()
            self._replies.clear()
            self._prefixes.clear()
            self.total = self.most_open = 0
            self.models_status = 200

    def next_fault(self, schema: str) -> Fault:
        """The fault for a request: a queued one that fits, else one by chance."""
        with self._lock:
            for index, one in enumerate(self._queue):
                if one.fits(schema):
                    return self._queue.pop(index)
            return self._by_chance(schema)

    def _by_chance(self, schema: str) -> Fault:
        chance = random.Random(f"{self.seed}:{self.total}").random()
        for one, rate in self._rates:
            if one.fits(schema):
                chance -= rate
                if chance < 0:
                    return one
        return NONE

    def next_reply(self, schema: str) -> Any:
        """A value queued for that schema, or None."""
        with self._lock:
            waiting = self._replies.get(schema)
            return waiting.popleft() if waiting else None

    def came(self, served: Served) -> None:
        """A request has come."""
        with self._lock:
            self.total += 1
            self.open += 1
            self.most_open = max(self.most_open, self.open)
            self.requests.append(served)

    def went(self) -> None:
        """It is over."""
        with self._lock:
            self.open -= 1

    def cached(self, texts: Sequence[str]) -> int:
        """How many of the texts that a prompt begins with were seen; from now on all of them."""
        key, known = 0, 0
        with self._lock:
            for number, text in enumerate(texts, 1):
                key = zlib.crc32(text.encode("utf-8", "replace"), key)
                known = number if key in self._prefixes and known == number - 1 else known
                self._prefixes[key] = None
            while len(self._prefixes) > KEPT:
                self._prefixes.pop(next(iter(self._prefixes)))
            return known
