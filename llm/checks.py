"""Settings that would only show in mid-interview are refused when the site starts."""

from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Warning, register

from llm.providers import PROVIDERS
from llm.routing.routes import FALLBACKS, fallback_route, provider_name
from llm.tasks.task import Tier

NEEDS_KEY = ("anthropic", "together")


@register()
def models_are_reachable(**kwargs: Any) -> list[CheckMessage]:
    """The provider is known and has what it needs; fallbacks name a provider and a model."""
    return [*_provider(), *(found for tier in Tier for found in _fallback(tier))]


def _provider() -> list[CheckMessage]:
    name = provider_name()
    if name not in PROVIDERS:
        known = ", ".join(PROVIDERS)
        return [Error(f"LLM_PROVIDER is {name!r}; known are {known}.", id="llm.E001")]
    prefix = name.upper()
    bare = name in NEEDS_KEY and not getattr(settings, f"{prefix}_API_KEY")
    if bare and not (name == "anthropic" and settings.ANTHROPIC_BASE_URL):
        return [Warning(f"LLM_PROVIDER is {name!r} but {prefix}_API_KEY is empty.", id="llm.W001")]
    return []


def _fallback(tier: Tier) -> list[CheckMessage]:
    wanted = getattr(settings, FALLBACKS[tier])
    if not wanted or fallback_route(tier):
        return []
    return [Error(f'{FALLBACKS[tier]} is {wanted!r}; "provider:model" is wanted.', id="llm.E002")]
