"""Refuses at start settings that would otherwise fail in the middle of an interview."""

from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Warning, register
from django.utils.text import get_text_list

from llm.providers import PROVIDERS
from llm.routing.routes import FALLBACKS, fallback_route, provider_name
from llm.tasks.task import Tier

NEEDS_KEY = ("anthropic", "together")


@register("start")
def models_are_reachable(**kwargs: Any) -> list[CheckMessage]:
    return [*_check_provider(), *(error for tier in Tier for error in _check_fallback(tier))]


def _check_provider() -> list[CheckMessage]:
    name = provider_name()
    if name not in PROVIDERS:
        hint = f"Set {get_text_list(list(PROVIDERS))}, or remove it."
        return [Error(f"LLM_PROVIDER is {name!r}, which isn't known.", hint=hint, id="llm.E001")]
    prefix = name.upper()
    lacks_key = name in NEEDS_KEY and not getattr(settings, f"{prefix}_API_KEY")
    if lacks_key and not (name == "anthropic" and settings.ANTHROPIC_BASE_URL):
        return [Warning(f"LLM_PROVIDER is {name!r} but {prefix}_API_KEY is empty.", id="llm.W001")]
    return []


def _check_fallback(tier: Tier) -> list[CheckMessage]:
    value = getattr(settings, FALLBACKS[tier])
    if not value or fallback_route(tier):
        return []
    problem = f"{FALLBACKS[tier]} is {value!r}, which names no provider and model."
    return [Error(problem, hint='Write "provider:model", as openai:gpt-6-luna.', id="llm.E002")]
