"""What a bot's public pages say about it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.utils import timezone
from django.utils.translation import get_language_info

from interviews.engine.protocol import StartField
from interviews.measures.rewards import fill_url
from interviews.models import Participant, Session
from interviews.protocols import PROTOCOLS
from interviews.recruitment.consent import ConsentWording, measured_of, words_of
from interviews.recruitment.eligibility import admit, may_begin
from interviews.recruitment.eligibility.invitation_only import invitation_of
from interviews.recruitment.eligibility.one_per_person import given_by
from interviews.recruitment.eligibility.opening_hours import next_opening, zone_name
from interviews.recruitment.panel_parameters import canonical, missing, told
from interviews.validation import RequestRefused
from plans.bots.compile import NotReady, compile_bot
from plans.models import Bot, BotText
from plans.models.eligibility import Outcome, Way, outcome_of
from plans.protocols import PlanContent


@dataclass(frozen=True, slots=True)
class BotCard:
    """A bot on the first page."""

    slug: str
    title: str
    host: str
    minutes: int
    summary: str
    language: str  # of these words


@dataclass(frozen=True, slots=True)
class LanguageOption:
    """A language that an interview can be held in, by its own name."""

    code: str
    name: str


@dataclass(frozen=True, slots=True)
class LanguagePreference:
    """A language somebody may want, and how that is known: choice, link, browser."""

    code: str
    by: str


@dataclass(frozen=True, slots=True)
class DeclineOutcome:
    """What somebody gets who doesn't take part: a code, an address, both or neither."""

    code: str = ""
    url: str = ""


@dataclass(frozen=True, slots=True)
class NextOpening:
    """When it opens next, by the clocks of which place."""

    at: datetime
    zone: str
    place: str


@dataclass(frozen=True, slots=True)
class StartPage:
    """A bot's start page in one language, for one visitor."""

    slug: str
    title: str
    host: str
    minutes: int
    state: str  # "open", or why nobody can begin: see STATES
    opens: NextOpening | None
    language: str
    language_source: str
    languages: tuple[LanguageOption, ...]
    text_language: str  # of summary, consent and about, if that isn't it
    summary: str = ""
    consent: ConsentWording = field(default_factory=ConsentWording)
    measured: str = ""
    about: str = ""
    asks: tuple[StartField, ...] = ()  # what neither link nor invitation has told
    params: Mapping[str, str] = field(default_factory=dict)  # the link's, by their known names
    missing: tuple[str, ...] = ()
    may_decline: bool = False  # though nobody can begin: somebody who was invited waits for a word
    given: Session | None = None  # the visitor's own ended interview, where there is to be but one
    outcome: DeclineOutcome = DeclineOutcome()


STATES = {  # a refusal's code -> what the page tells
    "closed_now": "closed_now",
    "full": "full",
    "by_invitation": "by_invitation",
    "invitation_over": "invitation_over",
    "invitation_used": "invitation_used",
    "incomplete_link": "incomplete",
    "already_given": "already_given",
    "begun_elsewhere": "begun_elsewhere",
}
SHUT = ("early", "closed", "closed_now", "full", "incomplete")  # doors that may open again
WAYS: dict[str, Way] = {"closed": "closed", "full": "full"}  # states that have a code


def cards(preferred: str) -> list[BotCard]:
    """Public bots that anybody can begin with now, in the preferred language if they speak it."""
    bots = Bot.objects.filter(public=True, status=Bot.Status.LIVE).prefetch_related("texts")
    now = timezone.now()
    return [_card(bot, preferred) for bot in bots if may_begin(bot, now)]


def _card(bot: Bot, preferred: str) -> BotCard:
    text, title, host = text_in(bot, preferred), bot.title_in(preferred), bot.host_in(preferred)
    return BotCard(bot.slug, title, host, bot.minutes, text.summary, text.language)


def offer(
    slug: str,
    wanted: Sequence[LanguagePreference],
    person: Participant | None = None,
    given: Mapping[str, str] | None = None,
) -> StartPage | None:
    """The start page of a bot in the first of the wanted languages that it speaks.

    `given` came with the link. None for a bot that doesn't exist or was never opened.
    """
    bot = Bot.objects.filter(slug=slug).prefetch_related("texts").first()
    if bot is None or bot.status == Bot.Status.DRAFT:
        return None
    content = _content(bot)
    spoken = content.languages if content else ()
    language, by = _nearest(wanted, spoken)
    text = text_in(bot, language)
    invitation, now = invitation_of(bot, person), timezone.now()
    params = told(bot, given or {}, invitation)
    asks = PROTOCOLS[bot.protocol].asks_at_start(content, language) if content else ()
    state = _state(bot, person, now, params) if spoken else "closed"
    return StartPage(
        slug=bot.slug,
        title=bot.title_in(language),
        host=bot.host_in(language),
        minutes=bot.minutes,
        state=state,
        opens=_opening(bot, now),
        language=language,
        language_source=by,
        languages=tuple(LanguageOption(code, name(code)) for code in spoken),
        text_language=text.language,
        summary=text.summary,
        consent=words_of(bot, text),
        measured=measured_of(bot, language),
        about=text.about,
        asks=tuple(field for field in asks if not params.get(field.key)),
        params=canonical(bot, given or {}),
        missing=tuple(missing(bot, params)),
        may_decline=invitation is not None and state in SHUT,
        given=given_by(bot, person, params) if state == "already_given" else None,
        outcome=filled(outcome_of(bot, WAYS[state]), params) if state in WAYS else DeclineOutcome(),
    )


def filled(outcome: Outcome, params: Mapping[str, str]) -> DeclineOutcome:
    """What is shown to who doesn't take part, with the link's parameters filled in."""
    return DeclineOutcome(outcome.code, fill_url(outcome.url, params) if outcome.url else "")


def stored(slug: str, way: Way) -> dict[str, str]:
    """A bot's outcome as it stands now, to be shown later just so."""
    bot = Bot.objects.filter(slug=slug).first()
    return outcome_of(bot, way).model_dump() if bot else {}


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


def _state(bot: Bot, person: Participant | None, now: datetime, params: Mapping[str, str]) -> str:
    try:
        admit(bot, person, now, params)
    except RequestRefused as refused:
        early = bot.status == Bot.Status.LIVE and bot.opens_at is not None and bot.opens_at > now
        return STATES.get(refused.code, "early" if early else "closed")
    return "open"


def _opening(bot: Bot, now: datetime) -> NextOpening | None:
    at = next_opening(bot, now)
    return NextOpening(at, bot.time_zone, zone_name(bot)) if at else None


def _nearest(wanted: Sequence[LanguagePreference], spoken: Sequence[str]) -> tuple[str, str]:
    """The first wanted language that is spoken, by tag or by its first part; else the first.

    With how it was found: "bot" where nobody asked for it.
    """
    for one in wanted:
        for candidate in spoken:
            if candidate == one.code or candidate.split("-")[0] == one.code.split("-")[0]:
                return candidate, one.by
    return (spoken[0] if spoken else (wanted[0].code if wanted else "en")), "bot"


def text_in(bot: Bot, language: str) -> BotText:
    """The bot's words in that language, else in English, else any, else none."""
    known = bot.text_in(language) or bot.text_in("en") or next(iter(bot.texts.all()), None)
    return known or BotText(bot=bot, language=language)
