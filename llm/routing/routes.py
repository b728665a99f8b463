"""Which models to ask for a task, and in which order."""

from dataclasses import dataclass
from typing import Any

from django.conf import settings

from llm.providers import PROVIDERS
from llm.providers.base import Provider
from llm.tasks.call_context import CallContext
from llm.tasks.outcome import Source
from llm.tasks.task import Task, Tier

NO_MODEL = "No model is configured."
FALLBACKS = {Tier.MAIN: "LLM_MAIN_FALLBACK", Tier.FAST: "LLM_FAST_FALLBACK"}


@dataclass(frozen=True, slots=True)
class Route:
    name: str
    model: str
    source: Source

    @property
    def provider(self) -> Provider:
        return PROVIDERS[self.name]


def provider_name() -> str:
    if settings.LLM_PROVIDER:
        return str(settings.LLM_PROVIDER)
    if settings.ANTHROPIC_API_KEY or settings.ANTHROPIC_BASE_URL:
        return "anthropic"
    if settings.OPENAI_API_KEY or settings.OPENAI_BASE_URL:
        return "openai"
    return "together" if settings.TOGETHER_API_KEY else "offline"


def has_model() -> bool:
    return bool(_default_model(provider_name(), Tier.MAIN))


def _default_model(provider: str, tier: Tier) -> str:
    return PROVIDERS[provider].model(tier) if provider in PROVIDERS else ""


def routes(task: Task[Any, Any], context: CallContext) -> list[Route]:
    """Return the routes for a task, best first; none if no model is set up."""
    name = provider_name()
    default = _default_model(name, task.tier)
    if not default:
        return []
    model = context.models.get(task.name) or context.models.get(task.tier) or default
    first, fallback = Route(name, model, Source.MODEL), fallback_route(task.tier)
    both = [first, fallback] if fallback else [first]
    return [route for route in both if context.only in (None, route.source)]


def fallback_route(tier: Tier) -> Route | None:
    """Return the tier's second route, set as "provider:model", or None."""
    name, _, model = str(getattr(settings, FALLBACKS[tier])).partition(":")
    known = model and _default_model(name, tier)
    return Route(name, model, Source.FALLBACK_MODEL) if known else None


def model_providers() -> list[str]:
    """Return the names of all providers that may be asked, fallbacks last; none without a model."""
    if not has_model():
        return []
    fallbacks = filter(None, map(fallback_route, Tier))
    return list(dict.fromkeys([provider_name(), *(route.name for route in fallbacks)]))
