"""Refuses at start settings that would otherwise fail in the middle of an interview."""

from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Warning, register

from llm.providers import PROVIDERS
from llm.routing.routes import FALLBACKS, fallback_route, provider_name
from llm.tasks.task import Tier

NEEDS_KEY = ("anthropic", "together")


@register()
def models_are_reachable(**kwargs: Any) -> list[CheckMessage]:
    return [*_check_provider(), *(error for tier in Tier for error in _check_fallback(tier))]


def _check_provider() -> list[CheckMessage]:
    name = provider_name()
    if name not in PROVIDERS:
        known = ", ".join(PROVIDERS)
        return [Error(f"LLM_PROVIDER is {name!r}; known are {known}.", id="llm.E001")]
    prefix = name.upper()
    lacks_key = name in NEEDS_KEY and not getattr(settings, f"{prefix}_API_KEY")
    if lacks_key and not (name == "anthropic" and settings.ANTHROPIC_BASE_URL):
        return [Warning(f"LLM_PROVIDER is {name!r} but {prefix}_API_KEY is empty.", id="llm.W001")]
    return []


def _check_fallback(tier: Tier) -> list[CheckMessage]:
    value = getattr(settings, FALLBACKS[tier])
    if not value or fallback_route(tier):
        return []
    return [Error(f'{FALLBACKS[tier]} is {value!r}; "provider:model" is wanted.', id="llm.E002")]
