"""Who transcribes, by DICTATION_PROVIDER."""

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


def hears_here() -> bool:
    """Whether sound comes to the site at all."""
    return settings.DICTATION_PROVIDER in PROVIDERS


async def in_use() -> Provider:
    """The one of this process; its library is read when first needed. Raises Failed: away."""
    if not hears_here():
        raise Failed("away", "no provider is set")
    return await asyncio.to_thread(_made, settings.DICTATION_PROVIDER)


@cache
def _made(name: str) -> Provider:
    provider: Provider = import_module(PROVIDERS[name]).make()
    return provider
