"""How a session is opened: bot, plan, participant, language."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from django.db import IntegrityError
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from interviews import store
from interviews.gate import Refused, normalised
from interviews.models import Participant, Session
from interviews.protocols import PROTOCOLS
from interviews.store import Claimed
from plans.compiling import NotReady, plan_for
from plans.models import Bot, Plan

MOST_PARAMS = 50
LONGEST_PARAM = 500
LONGEST_GIVEN = 2_000


@dataclass(frozen=True)
class Wish:
    """Who wants to be interviewed by which bot, and how."""

    bot: str | None
    name: str
    language: str
    params: Mapping[str, str]
    given: Mapping[str, str] = field(default_factory=dict)
    preview: bool = False
    synthetic: bool = False


def open_session(wish: Wish, participant: Participant | None) -> tuple[Claimed, Participant]:
    """Stores a session with its claimed opening turn. Raises Refused."""
    bot = _bot(wish)
    try:
        plan = plan_for(bot)
    except NotReady as error:
        raise Refused("not_ready", _("This interview is not ready yet.")) from error
    person = participant or Participant.objects.create(name=wish.name)
    if participant and wish.name and participant.name != wish.name:
        participant.name = wish.name
        participant.save(update_fields=["name"])
    for last in (False, True):
        try:
            return store.begin(bot, plan, person, _session(wish, bot, plan, person)), person
        except IntegrityError:  # the same person has started in two windows at once
            if last:
                raise
    raise AssertionError


def _bot(wish: Wish) -> Bot:
    chosen = {"slug": wish.bot} if wish.bot else {"is_default": True}
    bot = Bot.objects.filter(**chosen).first()
    if bot is None:
        raise Refused("unknown_bot", _("There is no such interview."))
    if not wish.preview and not bot.is_open(timezone.now()):
        raise Refused("not_open", _("This interview is not open at the moment."))
    return bot


def _session(wish: Wish, bot: Bot, plan: Plan, person: Participant) -> Session:
    language = _language(wish.language, plan)
    return Session(
        bot=bot,
        plan=plan,
        participant=person,
        title=bot.title,
        host=bot.host,
        language=language,
        params=_params(wish.params),
        given=_given(wish, plan, language),
        preview=wish.preview,
        synthetic=wish.synthetic,
        started_at=timezone.now(),
    )


def _language(chosen: str, plan: Plan) -> str:
    """The participant's choice, else the browser's, else the bot's first."""
    spoken = store.plan_content(plan.pk).languages
    for tag in (chosen, get_language() or ""):
        for wanted in (tag, tag.split("-")[0]):
            if wanted in spoken:
                return wanted
    return spoken[0]


def _given(wish: Wish, plan: Plan, language: str) -> dict[str, str]:
    """What the protocol asks before it begins: by the link, else by the page. Nothing else."""
    content = store.plan_content(plan.pk)
    told = {**wish.given, **wish.params}
    fields = PROTOCOLS[content.protocol].asks_at_start(content, language)
    kept = {field.key: normalised(str(told.get(field.key, ""))).strip() for field in fields}
    return {key: words[:LONGEST_GIVEN] for key, words in kept.items() if words}


def _params(given: Mapping[str, str]) -> dict[str, str]:
    """What came with the link, bounded."""
    kept = list(given.items())[:MOST_PARAMS]
    return {normalised(k)[:100]: normalised(str(v))[:LONGEST_PARAM] for k, v in kept}
