"""The contents of the home page's cards and of a bot's start page."""

import hashlib
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from django.core.cache import cache
from django.utils import timezone
from django.utils.translation import get_language_info

from interviews.engine.protocol import StartField
from interviews.measures.rewards import Reward, fill_url, repeatable_reward
from interviews.models import Participant, Session, TurnedAway
from interviews.protocols import PROTOCOLS
from interviews.recruitment.arms import find_experiment, is_full
from interviews.recruitment.consent import ConsentWording, consent_wording, paradata_notice
from interviews.recruitment.eligibility import check_eligibility, is_open_to_all
from interviews.recruitment.eligibility.invitation_only import invitation_of
from interviews.recruitment.eligibility.one_per_person import ended_interview, interview_of_another
from interviews.recruitment.eligibility.opening_hours import next_opening, zone_name
from interviews.recruitment.panel_parameters import canonical_params, merge_params, missing_params
from interviews.validation import RequestRefused
from plans.bots.compile import NotReady, compile_bot
from plans.bots.previews import is_preview
from plans.models import Bot, BotText, Experiment
from plans.models.eligibility import TRY_IT, Outcome, Way, shown_outcome, under_all_names
from plans.protocols import PlanContent
from plans.text.languages import match_language


@dataclass(frozen=True, slots=True)
class LanguageOption:
    code: str
    name: str


@dataclass(frozen=True, slots=True)
class LanguagePreference:
    """A language the visitor may want, and its source: choice, link, browser."""

    code: str
    by: str


@dataclass(frozen=True, slots=True)
class StartPage:
    bot: Bot
    title: str
    host: str
    state: str  # "open", or why nobody can start: see _state
    opens: datetime | None
    language: str
    language_source: str
    languages: tuple[LanguageOption, ...]
    text_language: str  # of summary, consent and about, which may lack the page's language
    summary: str = ""
    consent: ConsentWording = field(default_factory=ConsentWording)
    shows_consent: bool = False
    measured: str = ""
    about: str = ""
    asks: tuple[StartField, ...] = ()  # what neither link nor invitation says
    params: Mapping[str, str] = field(default_factory=dict)  # the link's, by their known names
    missing: tuple[str, ...] = ()
    may_decline: bool = False  # invited people may say no even while nobody can start
    given: Session | None = None  # the visitor's ended interview, if it is the only one allowed
    reward: Reward | None = None  # of that interview, if it was given in another browser
    outcome: Outcome = field(default_factory=Outcome)
    person: Participant | None = None  # who would start; None: somebody new
    other: Session | None = None  # somebody else's, open in the visitor's browser
    experiment: str = ""  # address of the experiment whose first arm this is
    preview: str = ""  # the link's key to try the bot

    @property
    def slug(self) -> str:
        return self.experiment or self.bot.slug

    @property
    def place(self) -> str:
        return zone_name(self.bot)

    @property
    def link(self) -> dict[str, str]:
        """Return the parameters of links back to this page."""
        return {**self.params, **({TRY_IT: self.preview} if self.preview else {})}


log = logging.getLogger(__name__)
NOT_OPEN = ("early", "closed", "closed_now", "full", "incomplete")  # may change again
TURNED_AWAY = ("early", "closed", "closed_now", "full", "screened")
ONE_PERSON = 3600  # seconds for which somebody who comes again isn't counted again
WAYS: dict[str, Way] = {
    "closed": "closed",
    "full": "full",
    "screened": "screened",
}  # states that have a code


def bot_cards(preferred: str) -> list[dict[str, Any]]:
    """Return the bots open to everyone, those in the preferred language first."""
    bots = Bot.objects.filter(public=True, status=Bot.Status.LIVE).prefetch_related("texts")
    now = timezone.now()
    cards = [_card(bot, preferred) for bot in bots if is_open_to_all(bot, now)]
    return sorted(cards, key=lambda card: card["language"].code.split("-")[0] != preferred)


def _card(bot: Bot, language: str) -> dict[str, Any]:
    text = text_in(bot, language)
    return {
        "bot": bot,
        "title": bot.title_in(language),
        "host": bot.host_in(language),
        "summary": text.summary.strip().partition("\n\n")[0],
        "language": LanguageOption(text.language, language_own_name(text.language)),  # of summary
    }


def build_start_page(
    slug: str,
    wanted: Sequence[LanguagePreference],
    visitor: Participant | None = None,
    given: Mapping[str, str] | None = None,
) -> StartPage | None:
    """Return the bot's start page in the first wanted language that it has.

    `visitor` is the browser's participant, `given` are the link's parameters. In a preview it is
    open, to somebody new. None if the bot doesn't exist or is a draft, or if the link to try it has
    expired: somebody who means to try it must not take part.
    """
    given = given or {}
    bot = Bot.objects.filter(slug=slug).prefetch_related("texts").first()
    preview = bot is not None and is_preview(bot, given)
    if bot is None or (not preview and (given.get(TRY_IT) or bot.status == Bot.Status.DRAFT)):
        return None
    content = _compile(bot)
    languages = content.languages if content else ()
    language, source = _choose_language(wanted, languages)
    text = text_in(bot, language)
    person, other = (None, None) if preview else starting_person(bot, visitor, given)
    invitation, now = invitation_of(bot, person), timezone.now()
    params = merge_params(bot, given, invitation)
    asks = PROTOCOLS[bot.protocol].asks_at_start(content, language) if content else ()
    state = _state(bot, person, now, params, preview) if languages else "closed"
    ended = ended_interview(bot, params) if state == "already_given" else None
    own = ended is not None and person is not None and ended.participant_id == person.pk
    outcome = shown_outcome(bot, WAYS[state]) if state in WAYS else None
    return StartPage(
        bot=bot,
        title=bot.title_in(language),
        host=bot.host_in(language),
        state=state,
        opens=next_opening(bot, now),
        language=language,
        language_source=source,
        languages=tuple(LanguageOption(code, language_own_name(code)) for code in languages),
        text_language=text.language,
        summary=text.summary,
        consent=consent_wording(bot, text),
        shows_consent=bot.shows_consent,
        measured=paradata_notice(bot, language),
        about=text.about,
        asks=tuple(field for field in asks if not params.get(field.key)),
        params=canonical_params(bot, given),
        missing=tuple(missing_params(bot, params)),
        may_decline=invitation is not None and state in NOT_OPEN,
        given=ended if own else None,
        reward=repeatable_reward(ended) if ended and not own else None,
        outcome=fill_outcome(bot, outcome, params) if outcome else Outcome(),
        person=person,
        other=other,
        preview=given[TRY_IT] if preview else "",
    )


def build_experiment_page(
    slug: str,
    wanted: Sequence[LanguagePreference],
    visitor: Participant | None = None,
    given: Mapping[str, str] | None = None,
) -> StartPage | None:
    """Return an experiment's start page: that of its first arm. None for drafts, and previews."""
    experiment = find_experiment(slug)
    arm = experiment and experiment.arms.first()
    page = build_start_page(arm.bot.slug, wanted, visitor, given) if arm else None
    if experiment is None or page is None or page.preview:
        return None
    page = replace(page, experiment=slug)
    if experiment.status == Experiment.Status.CLOSED:
        return turn_away(page, "closed")
    if page.state == "open" and is_full(experiment, timezone.now()):
        return turn_away(page, "full")
    return page


def turn_away(page: StartPage, code: str) -> StartPage:
    """Return the page as it is shown to somebody who is refused with that code."""
    if code not in WAYS:
        return page
    outcome = shown_outcome(page.bot, WAYS[code])
    return replace(page, state=code, outcome=fill_outcome(page.bot, outcome, page.params))


def starting_person(
    bot: Bot, visitor: Participant | None, given: Mapping[str, str]
) -> tuple[Participant | None, Session | None]:
    """Return who would start by a link, and the visitor's open interview if that is another person.

    Nobody (somebody new) starts for a visitor whose interview, open or not, names another person.
    """
    if invitation_of(bot, visitor):
        return visitor, None
    other = interview_of_another(bot, visitor, canonical_params(bot, given))
    return (None if other else visitor), other if other and other.is_active else None


def fill_outcome(bot: Bot, outcome: Outcome, params: Mapping[str, str]) -> Outcome:
    url = outcome.url and fill_url(outcome.url, under_all_names(bot, params))
    return outcome.model_copy(update={"url": url})


def language_own_name(code: str) -> str:
    try:
        return str(get_language_info(code)["name_local"]).capitalize()
    except KeyError:
        return code


def _compile(bot: Bot) -> PlanContent[Any] | None:
    try:
        return compile_bot(bot)
    except NotReady:
        return None


def _state(
    bot: Bot, person: Participant | None, now: datetime, params: Mapping[str, str], preview: bool
) -> str:
    if preview:
        return "open"
    try:
        check_eligibility(bot, person, now, params)
    except RequestRefused as refused:
        early = bot.status == Bot.Status.LIVE and bot.opens_at is not None and bot.opens_at > now
        if refused.code == "not_open":
            return "early" if early else "closed"
        return refused.code.removesuffix("_link")
    return "open"


def _choose_language(
    wanted: Sequence[LanguagePreference], spoken: Sequence[str]
) -> tuple[str, str]:
    """Return the language of the page and the source of that choice.

    If nothing matches: the bot's first language, from source "bot".
    """
    for preference in wanted:
        if language := match_language(preference.code, spoken):
            return language, preference.by
    return (spoken[0] if spoken else (wanted[0].code if wanted else "en")), "bot"


def text_in(bot: Bot, language: str) -> BotText:
    """Return the bot's text in that language, else in English, else any, else an empty one."""
    found = bot.text_in(language) or bot.text_in("en") or next(iter(bot.texts.all()), None)
    return found or BotText(bot=bot, language=language)


def note_turned_away(page: StartPage, address: str) -> None:
    """Count somebody who can't start, once an hour by link parameters, or else by IP address.

    Only a hash of these is remembered. Without the cache nobody is counted, and nobody is kept
    from the page.
    """
    who = repr(sorted(page.params.items())) if page.params else address
    digest = hashlib.sha256(f"{page.bot.slug} {page.state} {who}".encode()).hexdigest()
    try:
        new = cache.add(f"turned-away:{digest}", 1, ONE_PERSON)
    except Exception:  # whatever the cache's backend raises
        log.exception("Nobody knows who was turned away before")
        return
    if new:
        TurnedAway.add(page.bot, page.state)
