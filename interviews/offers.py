"""What a bot's public pages say about it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils import timezone
from django.utils.translation import get_language_info

from interviews.engine.types import StartField
from interviews.protocols import PROTOCOLS
from plans.compiling import NotReady, compile_bot
from plans.content import PlanContent
from plans.models import Bot, BotText


@dataclass(frozen=True, slots=True)
class Card:
    """A bot on the first page."""

    slug: str
    title: str
    host: str
    minutes: int
    summary: str
    language: str  # of these words


@dataclass(frozen=True, slots=True)
class Language:
    """A language that an interview can be held in, by its own name."""

    code: str
    name: str


@dataclass(frozen=True, slots=True)
class Offer:
    """A bot's start page in one language."""

    slug: str
    title: str
    host: str
    minutes: int
    state: str  # "open", "early" (opens later) or "closed"
    opens_at: datetime | None
    language: str
    languages: tuple[Language, ...]
    summary: str = ""
    consent: str = ""
    about: str = ""
    asks: tuple[StartField, ...] = ()


def cards(preferred: str) -> list[Card]:
    """The public bots that are open now, in the preferred language where they speak it."""
    bots = Bot.objects.filter(public=True, status=Bot.Status.LIVE).prefetch_related("texts")
    now = timezone.now()
    return [_card(bot, preferred) for bot in bots if bot.is_open(now)]


def _card(bot: Bot, preferred: str) -> Card:
    text = _text(list(bot.texts.all()), preferred)
    return Card(bot.slug, bot.title, bot.host, bot.minutes, text.summary, text.language)


def offer(slug: str, wanted: Sequence[str]) -> Offer | None:
    """The start page of a bot in the first of the wanted languages that it speaks.

    None for a bot that doesn't exist or was never opened.
    """
    bot = Bot.objects.filter(slug=slug).prefetch_related("texts").first()
    if bot is None or bot.status == Bot.Status.DRAFT:
        return None
    content = _content(bot)
    spoken = content.languages if content else ()
    language = _nearest(wanted, spoken)
    text = _text(list(bot.texts.all()), language)
    return Offer(
        slug=bot.slug,
        title=bot.title,
        host=bot.host,
        minutes=bot.minutes,
        state=_state(bot) if spoken else "closed",
        opens_at=bot.opens_at,
        language=language,
        languages=tuple(Language(code, name(code)) for code in spoken),
        summary=text.summary,
        consent=text.consent,
        about=text.about,
        asks=PROTOCOLS[bot.protocol].asks_at_start(content, language) if content else (),
    )


def name(code: str) -> str:
    """A language's own name for itself, or its tag where nobody knows one."""
    try:
        return str(get_language_info(code)["name_local"]).capitalize()
    except KeyError:
        return code


def _content(bot: Bot) -> PlanContent[Any] | None:
    try:
        return compile_bot(bot)
    except NotReady:
        return None


def _state(bot: Bot) -> str:
    now = timezone.now()
    if bot.is_open(now):
        return "open"
    early = bot.status == Bot.Status.LIVE and bot.opens_at is not None and bot.opens_at > now
    return "early" if early else "closed"


def _nearest(wanted: Sequence[str], spoken: Sequence[str]) -> str:
    """The first wanted language that is spoken, by tag or by its first part; else the first."""
    for code in wanted:
        for candidate in spoken:
            if candidate == code or candidate.split("-")[0] == code.split("-")[0]:
                return candidate
    return spoken[0] if spoken else (wanted[0] if wanted else "en")


def _text(texts: list[BotText], language: str) -> BotText:
    """The bot's words in that language, else in English, else any, else none."""
    by_language = {text.language: text for text in texts}
    known = by_language.get(language) or by_language.get(language.split("-")[0])
    return known or by_language.get("en") or (texts[0] if texts else BotText(language=language))
