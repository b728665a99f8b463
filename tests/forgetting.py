"""Makes this process forget what models refused, failed at and cost, and who was limited."""

from interviews.security.ratelimits import limits
from llm.costs import budgets
from llm.providers import structured
from llm.routing import breaker


def forget_failures() -> None:
    breaker._BREAKERS.clear()
    breaker._RESTS.clear()


def forget_refusals() -> None:
    structured._REFUSING.clear()


def forget_spending() -> None:
    budgets._TOTALS = budgets._Totals()
    budgets._logged.clear()


def forget_limits() -> None:
    limits._resting_until = 0.0
    limits._limiter.cache_clear()
