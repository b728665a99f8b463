"""Circuit breakers: a provider that keeps failing is left alone for a while.

One per provider and tier. After `LLM_BREAKER_FAILURES` in a row nobody asks for `LLM_BREAKER_REST`
seconds; then one call tries, and its outcome decides for all.

A task with a rest of its own (`Retries`) is moreover not asked while it rests.
"""

from collections import defaultdict
from dataclasses import dataclass
from time import monotonic

from django.conf import settings

from llm.tasks.task import Tier


@dataclass(slots=True)
class Breaker:
    """Counts failures in a row and says whether to ask."""

    failures: int = 0
    rests_until: float = 0.0
    trying: bool = False

    def admits(self) -> bool:
        """Whether a call may be made now; every admitted call reports how it went."""
        if self.failures < settings.LLM_BREAKER_FAILURES:
            return True
        if self.trying or monotonic() < self.rests_until:
            return False
        self.trying = True
        return True

    def succeeded(self) -> None:
        self.failures, self.trying = 0, False

    def failed(self) -> None:
        self.failures, self.trying = self.failures + 1, False
        if self.failures >= settings.LLM_BREAKER_FAILURES:
            self.rests_until = monotonic() + settings.LLM_BREAKER_REST

    def left(self) -> None:
        """The call ended without telling anything about the provider."""
        self.trying = False

    def resting(self) -> bool:
        """Whether the provider is being left alone."""
        return self.failures >= int(settings.LLM_BREAKER_FAILURES)


@dataclass(frozen=True, slots=True)
class Asked:
    """A task with the models that it is put to: (provider, model), best first."""

    task: str
    models: tuple[tuple[str, str], ...]


_RESTS: dict[Asked, float] = {}


def rest(asked: Asked, seconds: float) -> None:
    """All attempts have failed: it is left alone for so long."""
    _RESTS[asked] = monotonic() + seconds


def rests(asked: Asked) -> bool:
    """Whether it is being left alone."""
    return monotonic() < _RESTS.get(asked, 0.0)


_BREAKERS: defaultdict[tuple[str, Tier], Breaker] = defaultdict(Breaker)


def breaker(provider: str, tier: Tier) -> Breaker:
    """The breaker of a provider and tier, in this process."""
    return _BREAKERS[provider, tier]


def resting() -> list[tuple[str, Tier]]:
    """The providers and tiers that this process is leaving alone, for an admin to see."""
    return sorted(key for key, one in _BREAKERS.items() if one.resting())


def reset() -> None:
    _BREAKERS.clear()
    _RESTS.clear()
