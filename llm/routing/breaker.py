"""Circuit breakers: a model that keeps failing isn't asked for a while.

There is one per provider and model. After `LLM_BREAKER_FAILURES` in a row (0: never), or as soon as
somebody has waited in vain while nobody else got a reply, no call is made for `LLM_BREAKER_REST`
seconds; then one call tries, and its outcome decides for all.

In addition, a task with `Retries` isn't asked for its own `rest` once all attempts have failed.
"""

from collections import defaultdict
from dataclasses import dataclass
from time import monotonic

from django.conf import settings


@dataclass(slots=True)
class Breaker:
    failures: int = 0
    successes: int = 0
    rests_until: float = 0.0
    trying: bool = False

    @property
    def is_open(self) -> bool:
        return 0 < int(settings.LLM_BREAKER_FAILURES) <= self.failures

    def allows(self) -> bool:
        """Whether a call may be made now; every allowed call reports how it went."""
        if not self.is_open:
            return True
        if self.trying or monotonic() < self.rests_until:
            return False
        self.trying = True
        return True

    def record_success(self) -> None:
        self.failures, self.trying = 0, False
        self.successes += 1

    def record_failure(self) -> None:
        self.failures, self.trying = self.failures + 1, False
        if self.is_open:
            self.rests_until = monotonic() + settings.LLM_BREAKER_REST

    def record_silence(self, successes: int) -> None:
        """Open after waiting in vain, unless a call has succeeded since there were so many."""
        if self.successes == successes:
            self.failures = max(self.failures, int(settings.LLM_BREAKER_FAILURES) - 1)
            self.record_failure()

    def release(self) -> None:
        """End a call that says nothing about the provider."""
        self.trying = False


RestKey = tuple[str, tuple[tuple[str, str], ...]]  # a task, and its (provider, model), best first
_RESTS: dict[RestKey, float] = {}


def start_rest(key: RestKey, seconds: float) -> None:
    _RESTS[key] = monotonic() + seconds


def is_resting(key: RestKey) -> bool:
    return monotonic() < _RESTS.get(key, 0.0)


_BREAKERS: defaultdict[tuple[str, str], Breaker] = defaultdict(Breaker)


def breaker(provider: str, model: str) -> Breaker:
    return _BREAKERS[provider, model]
