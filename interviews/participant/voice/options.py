"""What the pages of an interview offer beside writing and reading."""

from dataclasses import dataclass

from django.conf import settings

from interviews.models import Session
from interviews.participant.voice import providers

NAMES = {"deepgram": "Deepgram"}


@dataclass(frozen=True, slots=True)
class VoiceOptions:
    """`dictation` is who hears: browser, site (which passes the sound on), here, or nobody ("")."""

    dictation: str
    service: str  # to whom the site passes the sound on
    read_aloud: bool


def offer(session: Session) -> VoiceOptions:
    """By the bot's choice and the site's settings. A session whose bot is gone offers nothing."""
    bot = session.bot
    return VoiceOptions(
        dictation=_heard_by() if bot and bot.dictation else "",
        service=settings.DICTATION_SERVICE or NAMES.get(settings.DICTATION_PROVIDER, ""),
        read_aloud=bool(bot and bot.read_aloud),
    )


def listens(session: Session) -> bool:
    """Whether the site itself takes this session's sound."""
    return providers.hears_here() and bool(session.bot and session.bot.dictation)


def _heard_by() -> str:
    kinds = {providers.BROWSER: "browser", providers.OFF: "", "local": "here"}
    return kinds.get(settings.DICTATION_PROVIDER, "site")
