"""Chooses the transcriber by DICTATION_PROVIDER."""

import asyncio
from functools import cache
from importlib import import_module

from django.conf import settings

from interviews.participant.voice.transcriber import Failed, Provider

BROWSER, OFF = "", "off"
PROVIDERS = {
    "deepgram": "interviews.participant.voice.deepgram",
    "local": "interviews.participant.voice.local",
}


def is_on_site() -> bool:
    return settings.DICTATION_PROVIDER in PROVIDERS


async def current_provider() -> Provider:
    """Return this process's provider; loads it on first use. Raises Failed: away."""
    if not is_on_site():
        raise Failed("away", "no provider is set")
    return await asyncio.to_thread(_make_provider, settings.DICTATION_PROVIDER)


@cache
def _make_provider(name: str) -> Provider:
    provider: Provider = import_module(PROVIDERS[name]).make()
    return provider
