"""Whom to ask for a task, in which order, by the settings and the subject's own wishes."""

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
    """A provider and one of its models."""

    name: str
    model: str
    source: Source

    @property
    def provider(self) -> Provider:
        """The provider of that name."""
        return PROVIDERS[self.name]


def provider_name() -> str:
    """The provider by the settings: the one named, else the first with a key or an address."""
    if settings.LLM_PROVIDER:
        return str(settings.LLM_PROVIDER)
    if settings.ANTHROPIC_API_KEY or settings.ANTHROPIC_BASE_URL:
        return "anthropic"
    if settings.OPENAI_API_KEY or settings.OPENAI_BASE_URL:
        return "openai"
    return "offline"


def blocked_reason() -> str:
    """Why nobody can be asked at all; empty where somebody can."""
    return "" if has_model() else NO_MODEL


def has_model(tier: Tier = Tier.MAIN) -> bool:
    """Whether anybody can be asked at all."""
    name = provider_name()
    return name in PROVIDERS and bool(PROVIDERS[name].model(tier))


def routes(task: Task[Any, Any], subject: CallContext) -> list[Route]:
    """The routes for a task, best first; none when no model is set up."""
    first = _first(task.name, task.tier, subject)
    if first is None:
        return []
    fallback = fallback_route(task.tier)
    return [first, fallback] if fallback else [first]


def _first(task: str, tier: Tier, subject: CallContext) -> Route | None:
    name = provider_name()
    standard = PROVIDERS[name].model(tier) if name in PROVIDERS else ""
    if not standard:
        return None
    model = subject.models.get(task) or subject.models.get(tier) or standard
    return Route(name, model, Source.MODEL)


def fallback_route(tier: Tier) -> Route | None:
    """The tier's second route, set as "provider:model"; None when there is none."""
    name, _, model = str(getattr(settings, FALLBACKS[tier])).partition(":")
    if name not in PROVIDERS or not model or not PROVIDERS[name].model(tier):
        return None
    return Route(name, model, Source.FALLBACK_MODEL)
