"""Who transcribes, by DICTATION_PROVIDER, and what the pages of an interview offer of it."""

import asyncio
from functools import cache
from importlib import import_module
from typing import Any

from django.conf import settings

from interviews.models import Session
from interviews.participant.voice.transcriber import Provider

BROWSER, OFF = "", "off"
PROVIDERS = {
    "deepgram": "interviews.participant.voice.deepgram",
    "local": "interviews.participant.voice.local",
}
NAMES = {"deepgram": "Deepgram"}


def voice_options(session: Session) -> dict[str, Any]:
    """Return what the page offers besides writing and reading.

    `dictation` is who listens: browser, site (passes the sound on to `service`), here, nobody ("").
    """
    bot, provider = session.bot, settings.DICTATION_PROVIDER
    listener = {BROWSER: "browser", OFF: "", "local": "here"}.get(provider, "site")
    return {
        "dictation": listener if bot and bot.dictation else "",
        "service": settings.DICTATION_SERVICE or NAMES.get(provider, ""),
        "read_aloud": bool(bot and bot.read_aloud),
    }


def is_on_site() -> bool:
    return settings.DICTATION_PROVIDER in PROVIDERS


def uses_site_dictation(session: Session) -> bool:
    return is_on_site() and bool(session.bot and session.bot.dictation)


async def current_provider() -> Provider:
    """Return this process's provider, where there is one; loads it on first use."""
    return await asyncio.to_thread(_make_provider, settings.DICTATION_PROVIDER)


@cache
def _make_provider(name: str) -> Provider:
    provider: Provider = import_module(PROVIDERS[name]).make()
    return provider
