"""What the pages of an interview offer besides writing and reading."""

from typing import Any

from django.conf import settings

from interviews.models import Session
from interviews.participant.voice import providers

NAMES = {"deepgram": "Deepgram"}


def voice_options(session: Session) -> dict[str, Any]:
    """Return what the page offers.

    `dictation` is who listens: browser, site (passes the sound on to `service`), here, nobody ("").
    """
    bot = session.bot
    return {
        "dictation": _listener() if bot and bot.dictation else "",
        "service": settings.DICTATION_SERVICE or NAMES.get(settings.DICTATION_PROVIDER, ""),
        "read_aloud": bool(bot and bot.read_aloud),
    }


def uses_site_dictation(session: Session) -> bool:
    return providers.is_on_site() and bool(session.bot and session.bot.dictation)


def _listener() -> str:
    kinds = {providers.BROWSER: "browser", providers.OFF: "", "local": "here"}
    return kinds.get(settings.DICTATION_PROVIDER, "site")
